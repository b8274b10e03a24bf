/** @jsxRuntime automatic @jsxImportSource preact */
/** The home page. */
import { ceremonyTitle, count, date, joined, nominationsText, number, span } from '../../shared/format.ts';
import { rankingHref } from '../addresses.ts';
import { ceremonyLink } from '../nominations.tsx';
import { Bars, Chips, Decades, Heading, inSample, type Page, Section, type Visit } from '../parts.tsx';
import { tallyAt } from '../ask.ts';
import { leadersOf } from '../ranking.ts';
import { ceremoniesOf, decadesOf } from '../record.ts';
import { winnersOf } from './awards.tsx';

const questions: readonly (readonly [href: string, text: string])[] = [
  [
    rankingHref('top-nominees', 'category_group=Acting&yearStart=1980'),
    'Who has the most acting nominations since 1980?',
  ],
  [rankingHref('top-movies', 'sort=wins'), 'Which films won the most awards?'],
  [rankingHref('top-nominees', 'sort=unrewarded'), 'Who was nominated most and never won?'],
  ['/timeline', 'Which film won Best Picture, year by year?'],
  ['/years', 'How have the awards grown?'],
];

const leaders = 5;
/** Winners shown here; the page of the ceremony has all. */
const maxCards = 7;

export async function homePage(visit: Visit): Promise<Page> {
  const { snapshot } = visit;
  const [ceremonies, tally, people, films] = await Promise.all([
    ceremoniesOf(snapshot),
    tallyAt(snapshot, new URLSearchParams()),
    leadersOf(snapshot, 'people', leaders),
    leadersOf(snapshot, 'films', leaders),
  ]);
  const [latest] = ceremonies;
  const winners = latest && (await winnersOf(visit, latest, maxCards));
  const body = (
    <>
      <div class="hero">
        <Heading title="Who was nominated, and who won" />
        <p class="lead">
          The nominations and winners of every ceremony on record. Search above, or begin with a question.
        </p>
        <Chips label="Questions to begin with" links={questions} />
      </div>
      {latest && winners && (
        <section class="latest" aria-labelledby="latest">
          <p class="soft">{joined('The latest ceremony', latest.date && date(latest.date))}</p>
          <h2 id="latest">{ceremonyLink(latest, ceremonyTitle(latest))}</h2>
          {winners.cards}
          <p>
            {ceremonyLink(
              latest,
              winners.awards > maxCards
                ? `All ${winners.awards} awards and all nominations`
                : 'All nominations of this ceremony',
            )}
          </p>
        </section>
      )}
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
        <Scope visit={visit} tally={tally} years={ceremonies.map((own) => own.ceremony_year)} />
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

/** What is on record. */
function Scope(props: {
  visit: Visit;
  tally: Awaited<ReturnType<typeof tallyAt>>;
  years: readonly number[];
}) {
  const { visit, tally, years } = props;
  const { movies, nominees, songs } = visit.snapshot.manifest.counts;
  if (years.length === 0) return <p>The record is empty: no data was imported yet.</p>;
  return (
    <p class="tally">
      {visit.isSample ? 'In this sample' : 'On record'}: {nominationsText(tally)}, {count(movies, 'film')},{' '}
      {number(nominees)} people and companies, {count(songs, 'song')},{' '}
      {count(years.length, 'ceremony', 'ceremonies')} held {span(Math.min(...years), Math.max(...years))}.
    </p>
  );
}
