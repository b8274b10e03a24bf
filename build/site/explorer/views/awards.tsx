/** @jsxRuntime automatic @jsxImportSource preact */
/** Pages of ceremonies and categories, and the list of all ceremonies. */
import type { Category, Ceremony, Honor, Movie } from '../../../../api/contract/resources.ts';
import {
  ceremonyTitle,
  count,
  date,
  filmYears,
  honorTitle,
  joined,
  nominationsText,
  titleCased,
} from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { Chart } from '../chart.tsx';
import { ceremonyLink, EntryList, filmLink, Winners, wonAwards } from '../nominations.tsx';
import {
  Chips,
  chosenDecade,
  Decades,
  decadeHref,
  externalLink,
  Facts,
  Heading,
  inSample,
  listed,
  type Page,
  RecordLinks,
  recordLink,
  Section,
  TallyLine,
  type Visit,
} from '../parts.tsx';
import { ask } from '../ask.ts';
import {
  type Award,
  awardsAt,
  type CeremonySummary,
  ceremoniesOf,
  decadeOf,
  decadesOf,
  firstOfEach,
  groupBy,
  nominated,
  nominationsIn,
  tallyOf,
  totalsByYear,
} from '../record.ts';
import { awardTexts } from './records.tsx';

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
  const ceremony = await ask<Ceremony>(snapshot, `/api/ceremonies/${id}`);
  const [awards, all, honors] = await Promise.all([
    awardsAt(snapshot, id),
    ceremoniesOf(snapshot),
    honorsAt(visit, ceremony),
  ]);
  const won = wonAwards(awards);
  const poster = await leadPoster(visit, won);
  const at = all.findIndex((own) => own.id === id);
  const films = filmYears(ceremony.movies_eligible);
  const nominations = awards.flatMap((award) => award.nominations);
  const moments = [ceremony.moment_1_caption, ceremony.moment_2_caption, ceremony.moment_3_caption];
  const title = ceremonyTitle(ceremony);
  const body = (
    <article>
      <Heading title={title} above={<a href="/timeline">Ceremonies</a>}>
        <p class="tally">
          {joined(
            ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year),
            ceremony.venue,
            films && `for films of ${films}`,
          )}
        </p>
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
      <Neighbours before={all[at + 1]} after={all[at - 1]} />
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
function Neighbours({
  before,
  after,
}: {
  before: CeremonySummary | undefined;
  after: CeremonySummary | undefined;
}) {
  return (
    <nav class="pager" aria-label="Other ceremonies">
      {before && ceremonyLink(before, `← ${ceremonyTitle(before)}`)}
      {after && ceremonyLink(after, `${ceremonyTitle(after)} →`)}
    </nav>
  );
}

/** A category with its history and the entries of a decade, the latest ceremony first. @throws Refusal */
export async function categoryPage(visit: Visit, id: number): Promise<Page> {
  const category = await nominated<Category>(visit.snapshot, 'categories', id);
  const { nominations, category_name: name, category_group: group } = category;
  const tally = tallyOf(nominations);
  const years = nominations.map(({ ceremony_year }) => ceremony_year);
  const decade = chosenDecade(visit, years);
  const shown = nominations.filter(({ ceremony_year }) => decadeOf(ceremony_year) === decade);
  const totals = totalsByYear(nominations);
  const body = (
    <article>
      <Heading title={name} above={<a href="/categories">Categories</a>}>
        <TallyLine visit={visit} tally={tally} />
      </Heading>
      {category.definition && <p class="prose">{category.definition}</p>}
      {totals.length > 2 && (
        <Chart
          totals={totals}
          label={`Nominations in ${name} by ceremony year`}
          hrefOf={(year) => `/nominations?category_ids=${id}&year=${year}`}
          isLow
        />
      )}
      <Facts facts={[['Group', group]]} />
      {category.history && (
        <details>
          <summary>How the category came about</summary>
          <p class="prose">{category.history}</p>
        </details>
      )}
      {shown.length > 0 && (
        <Section id="nominations" title={`Nominations of the ${decade}s`}>
          <Decades decades={decadesOf(years)} hrefOf={decadeHref} chosen={decade} />
          <div class="awards">
            {groupBy(shown, ({ ceremony_id }) => ceremony_id)
              .sort(([a, [one]], [b, [other]]) => other!.ceremony_year - one!.ceremony_year || b - a)
              .map(([ceremony, own]) => (
                <div key={ceremony} class="award">
                  <h3>{recordLink('ceremonies', ceremony, own[0]!.ceremony_year)}</h3>
                  <EntryList nominations={own} group={group} />
                </div>
              ))}
          </div>
        </Section>
      )}
      <RecordLinks visit={visit} resource="categories" id={id}>
        <a href={`/nominations?category_ids=${id}`}>All nominations in this category</a>
      </RecordLinks>
    </article>
  );
  return {
    title: name,
    description: `${name}: every nomination and winner, ${nominationsText(tally)}${inSample(visit)}.`,
    body,
    canonical: hrefOf('categories', category),
  };
}

/** The winners of a ceremony, for the home page. */
export async function winnersOf(visit: Visit, ceremony: CeremonySummary, most: number) {
  const won = wonAwards(await awardsAt(visit.snapshot, ceremony.id));
  const poster = await leadPoster(visit, won);
  const cards = <Winners visit={visit} ceremony={ceremony} awards={won} poster={poster} most={most} />;
  return { awards: won.length, cards };
}

/** Every ceremony, and the films that won Best Picture there. */
export async function timelinePage({ snapshot }: Visit): Promise<Page> {
  const [ceremonies, table] = await Promise.all([ceremoniesOf(snapshot), snapshot.table('nominations')]);
  const category = table.categories.name.values.indexOf('Best Picture');
  const won =
    category < 0
      ? []
      : table.category.nominationsOf(table.categories.id(category)).filter((row) => table.winner[row] === 1);
  const pictures = new Map(groupBy(await nominationsIn(snapshot, won), ({ ceremony_id }) => ceremony_id));
  const decades = groupBy(ceremonies, ({ ceremony_year }) => decadeOf(ceremony_year));
  const body = (
    <>
      <Heading title="All ceremonies" />
      <p>Every ceremony, and the film that won Best Picture there.</p>
      <Decades decades={decades.map(([decade]) => decade)} hrefOf={(decade) => `#decade-${decade}`} />
      {decades.map(([decade, own]) => (
        <Section key={decade} id={`decade-${decade}`} title={`${decade}s`}>
          <ol class="rows timeline" reversed>
            {own.map((ceremony) => {
              const films = filmYears(ceremony.movies_eligible);
              const winners = firstOfEach(pictures.get(ceremony.id) ?? [], ({ movie_id }) => movie_id);
              return (
                <li key={ceremony.id}>
                  {ceremonyLink(ceremony, String(ceremony.ceremony_year))}
                  <span>{winners.length > 0 ? listed(winners.map(filmLink)) : 'not on record yet'}</span>
                  <span class="detail">
                    {joined(
                      ceremony.show_title,
                      ceremony.date && date(ceremony.date),
                      films && `films of ${films}`,
                    )}
                  </span>
                </li>
              );
            })}
          </ol>
        </Section>
      ))}
    </>
  );
  return {
    title: 'All ceremonies',
    description: 'Every ceremony of the film awards, and the film that won Best Picture there.',
    body,
  };
}
