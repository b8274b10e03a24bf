/** @jsxRuntime automatic @jsxImportSource preact */
/** The home page. */
import { ceremonyTitle, date } from '../../shared/format.ts';
import { rankingHref } from '../addresses.ts';
import { ceremonyLink } from '../nominations.tsx';
import { Bars, Decades, Heading, inSample, type Page, Section, type Visit } from '../parts.tsx';
import { leadersOf } from '../ranking.ts';
import { type CeremonySummary, ceremoniesOf, decadesOf } from '../record.ts';
import { bestPictures, Shelf, shelfFilms } from '../shelf.tsx';
import { winnersOf } from './ceremony-opening.tsx';
import { scopeOf } from './scope.tsx';

const questions: readonly (readonly [href: string, text: string])[] = [
  [rankingHref('top-movies', 'sort=wins'), 'Which films won the most awards?'],
  [rankingHref('top-nominees', 'sort=unrewarded'), 'Who was nominated most and never won?'],
  [
    rankingHref('top-nominees', 'category_group=Acting&yearStart=1980'),
    'Who has the most acting nominations since 1980?',
  ],
  ['/records#big-five', 'Which films won the Big Five?'],
  ['/records#ties', 'Which awards ended in a tie?'],
  ['/years', 'How have the awards grown?'],
];

const leaders = 5;
/** Awards shown here; the page of the ceremony has all. */
const maxAwards = 12;
/** Films on the shelf. */
const maxShelf = 12;

export async function homePage(visit: Visit): Promise<Page> {
  const { snapshot } = visit;
  const [ceremonies, scope, people, films] = await Promise.all([
    ceremoniesOf(snapshot),
    scopeOf(visit),
    leadersOf(snapshot, 'people', leaders),
    leadersOf(snapshot, 'films', leaders),
  ]);
  const { latest, winners, coming } = await latestNight(visit, ceremonies);
  const pictures = (await bestPictures(visit)).slice(latest ? 1 : 0, maxShelf + 1);
  const yearOf = new Map(ceremonies.map((own) => [own.id, own.ceremony_year]));
  const heldOf = new Map(pictures.map(({ film, ceremony }) => [film, yearOf.get(ceremony)]));
  const shelf = await shelfFilms(
    visit,
    pictures.map(({ film }) => film),
    ({ id }) => `Held in ${heldOf.get(id)}`,
  );
  const body = (
    <>
      <div class="hero">
        <Heading title="A century of film awards" />
        {scope}
      </div>
      {coming && (
        <p class="coming happened">
          Next: {ceremonyLink(coming, ceremonyTitle(coming))}
          {coming.date && `, ${date(coming.date)}`}. Its winners are not on record yet.
        </p>
      )}
      {latest && winners && (
        <section class="latest" aria-labelledby="latest">
          {winners.frame}
          {winners.cards}
          <p>
            {ceremonyLink(
              latest,
              winners.awards > maxAwards
                ? `All ${winners.awards} awards and all nominations`
                : 'All nominations of this ceremony',
            )}
          </p>
        </section>
      )}
      {shelf.length > 0 && (
        <Section id="pictures" title="Best Picture, year by year">
          <Shelf visit={visit} films={shelf} label="Films that won Best Picture" />
          <p>
            <a href="/timeline">All films that won Best Picture</a>
          </p>
        </Section>
      )}
      <Section id="questions" title="Questions to begin with">
        <ul class="questions">
          {questions.map(([href, text]) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </Section>
      <div class="columns">
        <Section id="people" title={`Most nominated people${inSample(visit)}`}>
          <Bars resource="nominees" ranked={people.ranked} label="Most nominated people" />
          <p>
            <a href={rankingHref('top-nominees')}>See the full ranking of people</a>
          </p>
        </Section>
        <Section id="films" title={`Most nominated films${inSample(visit)}`}>
          <Bars resource="movies" ranked={films.ranked} label="Most nominated films" />
          <p>
            <a href={rankingHref('top-movies')}>See the full ranking of films</a>
          </p>
        </Section>
      </div>
      <Section id="decades" title="By decade">
        <Decades
          decades={decadesOf(ceremonies.map((own) => own.ceremony_year))}
          hrefOf={(decade) => `/timeline#decade-${decade}`}
        />
      </Section>
    </>
  );
  return {
    title: 'Film Awards',
    description:
      'A century of film awards: every nomination and who won, films, people, ceremonies and songs.',
    body,
  };
}

/** The latest ceremony with winners, and the one to come after it. */
async function latestNight(visit: Visit, ceremonies: readonly CeremonySummary[]) {
  let coming: CeremonySummary | undefined;
  for (const ceremony of ceremonies) {
    const winners = await winnersOf(visit, ceremony, maxAwards);
    if (winners.awards > 0) return { latest: ceremony, winners, coming };
    coming = ceremony;
  }
  return { latest: undefined, winners: undefined, coming };
}
