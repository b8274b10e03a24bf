/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a ceremony. */
import type { StoredCeremony } from '../../../../api/contract/resources.ts';
import { ceremonyTitle, count, joined, nominationsText } from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { ask } from '../ask.ts';
import { type HonoredAward, HonorList, honorsOf, isCompetitive, whyHonors, withHonors } from '../honors.tsx';
import { ceremonyLink, EntryList, Winners, wonAwards } from '../nominations.tsx';
import {
  Chips,
  externalLink,
  Facts,
  type Page,
  RecordLinks,
  recordLink,
  Section,
  type Visit,
} from '../parts.tsx';
import { awardsAt, type CeremonySummary, ceremoniesOf, groupBy, tallyOf } from '../record.ts';
import { awardTexts } from './award-texts.ts';
import { CeremonyFrame, leadPoster } from './ceremony-opening.tsx';

/** The winners at a glance, then everyone who was nominated. @throws Refusal */
export async function ceremonyPage(visit: Visit, id: number): Promise<Page> {
  const { snapshot } = visit;
  const stored = await ask<StoredCeremony>(snapshot, `/api/ceremonies/${id}?include=film_years`);
  const [awards, all, honors] = await Promise.all([
    awardsAt(snapshot, id),
    ceremoniesOf(snapshot),
    honorsOf(snapshot, 'ceremony', id),
  ]);
  const at = all.findIndex((own) => own.id === id);
  const ceremony = { ...stored, ...all[at]! };
  const [competitive, others] = [honors.filter(isCompetitive), honors.filter((own) => !isCompetitive(own))];
  const everyone = await withHonors(snapshot, awards, competitive);
  const wonHonors = competitive.filter(({ winner }) => winner);
  const won = wonAwards(awards);
  const poster = await leadPoster(visit, won);
  const nominations = awards.flatMap((award) => award.nominations);
  const moments = [ceremony.moment_1_caption, ceremony.moment_2_caption, ceremony.moment_3_caption];
  const title = ceremonyTitle(ceremony);
  const body = (
    <article>
      <Neighbours before={all[at + 1]} after={all[at - 1]} />
      <CeremonyFrame ceremony={ceremony} awards={awards} venue={ceremony.venue}>
        <h1>{title}</h1>
      </CeremonyFrame>
      {everyone.length === 0 && <p>No nominations of this ceremony are on record.</p>}
      {won.length + wonHonors.length > 0 && (
        <Section id="winners" title="Winners">
          <Winners visit={visit} ceremony={ceremony} awards={won} poster={poster} />
          {wonHonors.length > 0 && <HonorList honors={wonHonors} hasCategories />}
        </Section>
      )}
      {everyone.length > 0 && <Everyone awards={everyone} />}
      {others.length > 0 && (
        <Section id="honors" title="Honors">
          <p class="advice">Honorary, scientific and technical awards. They do not count as nominations.</p>
          <HonorList honors={others.filter((honor) => honor.class !== 'SciTech')} hasCategories />
          {others.some((honor) => honor.class === 'SciTech') && (
            <details>
              <summary>Scientific and technical awards</summary>
              <HonorList honors={others.filter((honor) => honor.class === 'SciTech')} hasCategories />
            </details>
          )}
        </Section>
      )}
      {moments.some(Boolean) && (
        <Section id="moments" title="Moments">
          <ul>{moments.map((caption) => caption && <li key={caption}>{caption}</li>)}</ul>
        </Section>
      )}
      {(ceremony.overview || ceremony.movies_eligible || ceremony.wikiurl) && (
        <Section id="about" title="About this ceremony">
          {ceremony.overview && <p class="prose">{ceremony.overview}</p>}
          <Facts
            facts={[
              ['Films eligible', ceremony.movies_eligible],
              ['Read more', externalLink(ceremony.wikiurl, 'Wikipedia')],
            ]}
          />
        </Section>
      )}
      <RecordLinks visit={visit} resource="ceremonies" id={id}>
        {visit.isWritable && (
          <>
            <a href={`/edit/ceremonies/${id}/winners`}>Edit nominations and winners</a>
            <a href={`/edit/ceremonies/${id}/honors`}>Edit honors</a>
          </>
        )}
      </RecordLinks>
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
function Everyone({ awards }: { awards: readonly HonoredAward[] }) {
  const nominations = awards.flatMap((award) => award.nominations);
  const nominated = awards.filter((award) => award.nominations.length > 0);
  const nominees = new Set(nominations.map(({ nominee_id }) => nominee_id)).size;
  return (
    <section id="everyone" aria-labelledby="everyone-title">
      <h2 id="everyone-title">All nominations</h2>
      <p class="tally">
        {nominations.length > 0 && (
          <>
            {nominationsText(tallyOf(nominations))} in {count(nominated.length, 'category', 'categories')}. A
            nomination shared by several people counts once.{' '}
            {count(nominees, 'person or company', 'people and companies')} in all.{' '}
          </>
        )}
        {awards.some(({ honors }) => honors.length > 0) && whyHonors}
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
          {awards.map(({ category, nominations: own, honors }) => (
            <section key={category.id} class="award" aria-labelledby={`category-${category.id}`}>
              <h3 id={`category-${category.id}`}>
                {recordLink('categories', category.id, category.category_name)}
              </h3>
              <EntryList nominations={own} group={category.category_group} />
              {honors.length > 0 && <HonorList honors={honors} />}
            </section>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Links to all ceremonies, and to those before and after one. */
function Neighbours(props: { before: CeremonySummary | undefined; after: CeremonySummary | undefined }) {
  const { before, after } = props;
  const textOf = (ceremony: CeremonySummary) =>
    joined(String(ceremony.ceremony_year), ceremony.show_title?.replace(/ Academy Awards$/, ''));
  return (
    <nav class="neighbours" aria-label="Other ceremonies">
      <a href="/timeline">All ceremonies</a>
      {before && ceremonyLink(before, `← ${textOf(before)}`)}
      {after && ceremonyLink(after, `${textOf(after)} →`)}
    </nav>
  );
}
