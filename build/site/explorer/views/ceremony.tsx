/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a ceremony. */
import { filmYearOf } from '../../../../api/contract/film-year.ts';
import type { Ceremony, Honor, Movie, StoredCeremony } from '../../../../api/contract/resources.ts';
import {
  ceremonyTitle,
  count,
  date,
  filmsOf,
  honorTitle,
  joined,
  nominationsText,
  titleCased,
} from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { ask } from '../ask.ts';
import { ceremonySentence } from '../happened.ts';
import { ceremonyLink, EntryList, Winners, wonAwards } from '../nominations.tsx';
import {
  Chips,
  externalLink,
  Facts,
  Happened,
  Heading,
  type Page,
  RecordLinks,
  recordLink,
  Section,
  type Visit,
} from '../parts.tsx';
import { type Award, awardsAt, type CeremonySummary, ceremoniesOf, groupBy, tallyOf } from '../record.ts';
import { awardTexts } from './award-texts.ts';

/** The address of the poster of the film that won the first award. */
async function leadPoster({ snapshot }: Visit, won: readonly Award[]): Promise<string | null> {
  const lead = won[0]?.nominations[0];
  return lead
    ? (await ask<Movie>(snapshot, `/api/movies/${lead.movie_id}?fields=poster_path`)).poster_path
    : null;
}

/** The winners at a glance, then everyone who was nominated. @throws Refusal */
export async function ceremonyPage(visit: Visit, id: number): Promise<Page> {
  const { snapshot } = visit;
  const stored = await ask<StoredCeremony>(snapshot, `/api/ceremonies/${id}?include=film_years`);
  const ceremony = { ...stored, ...filmYearOf(stored) };
  const [awards, all, honors] = await Promise.all([
    awardsAt(snapshot, id),
    ceremoniesOf(snapshot),
    honorsAt(visit, ceremony),
  ]);
  const won = wonAwards(awards);
  const poster = await leadPoster(visit, won);
  const at = all.findIndex((own) => own.id === id);
  const nominations = awards.flatMap((award) => award.nominations);
  const moments = [ceremony.moment_1_caption, ceremony.moment_2_caption, ceremony.moment_3_caption];
  const title = ceremonyTitle(ceremony);
  const body = (
    <article>
      <Neighbours before={all[at + 1]} after={all[at - 1]} />
      <Heading title={title} above={<a href="/timeline">Ceremonies</a>}>
        <p class="tally">
          {joined(
            ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year),
            ceremony.venue,
            `for ${filmsOf(ceremony)}`,
          )}
        </p>
        <Happened text={ceremonySentence(nominations)} />
      </Heading>
      {ceremony.overview && <p class="prose">{ceremony.overview}</p>}
      {awards.length === 0 && <p>No nominations of this ceremony are on record.</p>}
      {won.length > 0 && (
        <Section id="winners" title="Winners">
          <Winners visit={visit} ceremony={ceremony} awards={won} poster={poster} />
        </Section>
      )}
      {awards.length > 0 && <Everyone awards={awards} />}
      {honors.length > 0 && (
        <Section id="honors" title="Honors">
          <p class="advice">
            Honorary, scientific and technical awards. No count and no ranking of this site includes them.
          </p>
          <HonorList honors={honors.filter((honor) => honor.class !== 'SciTech')} />
          {honors.some((honor) => honor.class === 'SciTech') && (
            <details>
              <summary>Scientific and technical awards</summary>
              <HonorList honors={honors.filter((honor) => honor.class === 'SciTech')} />
            </details>
          )}
        </Section>
      )}
      {moments.some(Boolean) && (
        <Section id="moments" title="Moments">
          <ul>{moments.map((caption) => caption && <li key={caption}>{caption}</li>)}</ul>
        </Section>
      )}
      <Facts
        facts={[
          ['Films eligible', ceremony.movies_eligible],
          ['Read more', externalLink(ceremony.wikiurl, 'Wikipedia')],
        ]}
      />
      <RecordLinks visit={visit} resource="ceremonies" id={id} />
    </article>
  );
  const winners = nominations.filter(({ winner }) => winner);
  return {
    title,
    description: ceremony.overview ?? `${joined(title, ceremony.venue)}: all nominations and winners.`,
    body,
    canonical: hrefOf('ceremonies', ceremony),
    thing: {
      '@type': 'Event',
      name: title,
      description: ceremony.overview,
      startDate: ceremony.date ?? String(ceremony.ceremony_year),
      location: ceremony.venue && { '@type': 'Place', name: ceremony.venue, address: ceremony.venue },
      sameAs: ceremony.wikiurl,
      // schema.org gives awards to works.
      workFeatured: groupBy(winners, ({ movie_id }) => movie_id).map(([, own]) => ({
        '@type': 'Movie',
        name: own[0]!.movie,
        award: awardTexts(own),
      })),
    },
  };
}

/** All nominations by category. A phone shows them when the reader asks for them: the winners stand above. */
function Everyone({ awards }: { awards: readonly Award[] }) {
  const nominations = awards.flatMap((award) => award.nominations);
  const nominees = new Set(nominations.map(({ nominee_id }) => nominee_id)).size;
  return (
    <section id="everyone" aria-labelledby="everyone-title">
      <h2 id="everyone-title">All nominations</h2>
      <p class="tally">
        {nominationsText(tallyOf(nominations))} in {count(awards.length, 'category', 'categories')}. A
        nomination shared by several people counts once.{' '}
        {count(nominees, 'person or company', 'people and companies')} in all.
      </p>
      <a class="show-all button" href="#everyone">
        Show all nominations
      </a>
      <div class="all">
        <Chips
          label="Categories of this ceremony"
          links={awards.map(({ category: { id, category_name } }) => [`#category-${id}`, category_name])}
        />
        <div class="awards">
          {awards.map(({ category, nominations: own }) => (
            <section key={category.id} class="award" aria-labelledby={`category-${category.id}`}>
              <h3 id={`category-${category.id}`}>
                {recordLink('categories', category.id, category.category_name)}
              </h3>
              <EntryList nominations={own} group={category.category_group} />
            </section>
          ))}
        </div>
      </div>
    </section>
  );
}

const HonorList = ({ honors }: { honors: readonly Honor[] }) => (
  <ul class="entries">
    {honors.map((honor) => (
      <li key={honor.id} class="entry">
        <span class="first">{recordLink('honors', honor.id, honorTitle(honor))}</span>
        <span class="second">{titleCased(honor.category)}</span>
      </li>
    ))}
  </ul>
);

async function honorsAt({ snapshot }: Visit, { id }: Ceremony): Promise<Honor[]> {
  const honors = await snapshot.table('honors');
  const ids = honors.ceremony.flatMap((own, row) => (own === id ? [honors.id(row)] : []));
  return Promise.all(ids.map((own) => ask<Honor>(snapshot, `/api/honors/${own}`)));
}

/** Links to the ceremonies before and after one. */
function Neighbours(props: { before: CeremonySummary | undefined; after: CeremonySummary | undefined }) {
  const { before, after } = props;
  const textOf = (ceremony: CeremonySummary) =>
    joined(String(ceremony.ceremony_year), ceremony.show_title?.replace(/ Academy Awards$/, ''));
  return (
    <nav class="neighbours" aria-label="Other ceremonies">
      {before ? ceremonyLink(before, `← ${textOf(before)}`) : <span />}
      {after && ceremonyLink(after, `${textOf(after)} →`)}
    </nav>
  );
}

/** The winners of a ceremony, for the home page. */
export async function winnersOf(visit: Visit, ceremony: CeremonySummary, most: number) {
  const won = wonAwards(await awardsAt(visit.snapshot, ceremony.id));
  const poster = await leadPoster(visit, won);
  const cards = <Winners visit={visit} ceremony={ceremony} awards={won} poster={poster} most={most} />;
  return { awards: won.length, cards };
}
