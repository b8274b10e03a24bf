/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a ceremony: the winners at a glance, then its nominations as entries. */
import type { Ceremony, Honor } from '../../../../api/contract/resources.ts';
import { everyPage } from '../../shared/api.ts';
import { ceremonyTitle, count, date, filmYears, honorTitle, titleCased } from '../../shared/format.ts';
import { awardsKey, awardsOf, leadPoster, nominationsAt, type ShownAwards } from '../awards.ts';
import { type CeremonySize, entriesOf, tallyOf } from '../counts.ts';
import { recordHref } from '../addresses.ts';
import { externalLink, Facts, RecordLinks } from '../parts/facts.tsx';
import { TableHead } from '../parts/lists.tsx';
import { ceremonyLink, EntryList, recordLink } from '../parts/nominations.tsx';
import { Heading, recordPage, Section, Shown, useAnswer } from '../parts/page.tsx';
import { Winners, wonAwards } from '../parts/winners.tsx';
import type { CeremonySummary, DetailedNomination, Reading } from '../record.ts';

function CeremonyContent({ record: ceremony }: { record: Ceremony }) {
  const { id } = ceremony;
  const awards = useAnswer(awardsKey(id), (reading) => detailedAwards(reading, id));
  const films = filmYears(ceremony.movies_eligible);
  return (
    <article>
      <Heading title={ceremonyTitle(ceremony)} above={<a href="/timeline">Ceremonies</a>}>
        <p class="tally">
          {ceremony.date ? date(ceremony.date) : ceremony.ceremony_year}
          {films && ` · for films of ${films}`}
        </p>
      </Heading>
      {ceremony.overview && <p class="prose">{ceremony.overview}</p>}
      <Facts
        facts={[
          ['Venue', ceremony.venue],
          ['Films eligible', ceremony.movies_eligible],
          ['Read more', externalLink(ceremony.wikiurl, 'Wikipedia')],
        ]}
      />
      <Moments ceremony={ceremony} />
      <Shown answer={awards}>
        {({ awards, poster }) => <Awards ceremony={ceremony} awards={awards} poster={poster} />}
      </Shown>
      <Honors ceremony={ceremony} />
      <Comparison id={id} />
      <RecordLinks resource="ceremonies" id={id} />
      <Neighbours id={id} />
    </article>
  );
}

function Moments({ ceremony }: { ceremony: Ceremony }) {
  const moments = [ceremony.moment_1_caption, ceremony.moment_2_caption, ceremony.moment_3_caption].filter(
    (caption) => caption !== null,
  );
  if (moments.length === 0) return null;
  return (
    <Section id="moments" title="Moments">
      <ul>
        {moments.map((caption) => (
          <li key={caption}>{caption}</li>
        ))}
      </ul>
    </Section>
  );
}

async function detailedAwards(reading: Reading, ceremony: number): Promise<ShownAwards<DetailedNomination>> {
  const nominations = await reading.withDetails(await nominationsAt(reading, ceremony));
  const awards = await awardsOf(reading, nominations);
  return { awards, poster: await leadPoster(reading, wonAwards(awards)) };
}

function Awards({ ceremony, awards, poster }: { ceremony: Ceremony } & ShownAwards<DetailedNomination>) {
  const won = wonAwards(awards);
  if (awards.length === 0) return <p>No nominations of this ceremony are on record.</p>;
  const { nominations } = tallyOf(awards.flatMap((award) => award.nominations));
  return (
    <>
      {won.length > 0 && (
        <Section id="winners" title="The winners">
          <Winners ceremony={ceremony} awards={won} all={won} poster={poster} />
        </Section>
      )}
      <h2 id="everyone">Everyone who was nominated</h2>
      <p class="tally">
        {count(nominations, 'nomination')} in {count(awards.length, 'category', 'categories')}
      </p>
      <a class="skip" href="#entries">
        Skip the list of categories
      </a>
      <nav aria-label="Categories of this ceremony" class="jumps">
        {awards.map(({ category }) => (
          <a key={category.id} href={`#category-${category.id}`}>
            {category.category_name}
          </a>
        ))}
      </nav>
      <div class="awards" id="entries" tabIndex={-1}>
        {awards.map(({ category, nominations }) => (
          <section key={category.id} class="award" aria-labelledby={`category-${category.id}`}>
            <h2 id={`category-${category.id}`}>
              {recordLink('categories', category.id, category.category_name)}
            </h2>
            <EntryList entries={entriesOf(nominations)} group={category.category_group} />
          </section>
        ))}
      </div>
    </>
  );
}

/** The ceremony between the ones before and after it, earliest first. */
async function loadSizes(
  reading: Reading,
  id: number,
): Promise<(CeremonySize & { ceremony: CeremonySummary })[]> {
  const all = await reading.ceremonies();
  const at = all.findIndex((ceremony) => ceremony.id === id);
  // The first and the last ceremony stand beside two on one side.
  const start = Math.max(0, Math.min(at - 1, all.length - 3));
  const around = all.slice(start, start + 3).reverse();
  const sizes = await reading.sizesOf(around.map((own) => own.id));
  return around.map((ceremony, i) => ({ ceremony, ...sizes[i]! }));
}

/** How many nominations, categories and films the ceremony had, beside the ceremonies before and after it. */
function Comparison({ id }: { id: number }) {
  const sizes = useAnswer(`sizes/${id}`, (reading) => loadSizes(reading, id)).value;
  if (!sizes || sizes.length < 2) return null;
  return (
    <Section id="comparison" title="Beside its neighbours">
      <div class="scroll">
        <table class="numbers">
          <TableHead columns={['Ceremony', 'Nominations', 'Categories', 'Films']} />
          <tbody>
            {sizes.map(({ ceremony, nominations, categories, films }) => (
              <tr key={ceremony.id} class={ceremony.id === id ? 'this' : undefined}>
                <th scope="row">
                  {ceremony.id === id ? (
                    `${ceremonyTitle(ceremony)}, ${ceremony.ceremony_year}`
                  ) : (
                    <>
                      {ceremonyLink(ceremony, ceremonyTitle(ceremony))}, {ceremony.ceremony_year}
                    </>
                  )}
                </th>
                <td>{nominations}</td>
                <td>{categories}</td>
                <td>{films}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** The honorary, scientific and technical awards of a ceremony. */
function Honors({ ceremony: { id, ceremony_year } }: { ceremony: Ceremony }) {
  const honors = useAnswer(`honors/${id}`, async ({ ask }) =>
    (await everyPage<Honor>(ask, `/api/honors?year=${ceremony_year}`)).filter(
      ({ ceremony_id }) => ceremony_id === id,
    ),
  );
  if (honors.value === undefined || honors.value.length === 0) return null;
  return (
    <Section id="honors" title="Honorary, scientific and technical awards">
      <p class="advice">They are no nominations, and stand in no count or ranking.</p>
      <ul class="entries">
        {honors.value.map((honor) => (
          <li key={honor.id} class="entry">
            <span class="first">{recordLink('honors', honor.id, honorTitle(honor))}</span>
            <span class="second">{titleCased(honor.category)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Links to the ceremonies before and after this one. */
function Neighbours({ id }: { id: number }) {
  const found = useAnswer(`neighbours/${id}`, async ({ ceremonies }) => {
    const all = await ceremonies();
    const at = all.findIndex((ceremony) => ceremony.id === id);
    return { after: all[at - 1], before: all[at + 1] };
  });
  const { after, before } = found.value ?? {};
  return (
    <nav class="neighbours" aria-label="Other ceremonies">
      {before && (
        <a rel="prev" href={recordHref('ceremonies', before.id, before.ceremony_year)}>
          ← {before.show_title ?? before.ceremony_year}
        </a>
      )}
      {after && (
        <a rel="next" href={recordHref('ceremonies', after.id, after.ceremony_year)}>
          {after.show_title ?? after.ceremony_year} →
        </a>
      )}
    </nav>
  );
}

export const CeremonyPage = recordPage('ceremonies', CeremonyContent);
