/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a category: its entries, one decade at a time. */
import type { Category, Nomination } from '../../../../api/contract/resources.ts';
import { count } from '../../shared/format.ts';
import { entriesOf, groupBy, type Tally, tallyOf } from '../counts.ts';
import { decadeParameter } from '../addresses.ts';
import { usePlace } from '../page-context.ts';
import { Facts, RecordLinks, TallyLine } from '../parts/facts.tsx';
import { Decades, decadeOf, decadesOf } from '../parts/lists.tsx';
import { EntryList, recordLink } from '../parts/nominations.tsx';
import { Heading, recordPage, Section, Shown, useAnswer } from '../parts/page.tsx';
import type { DetailedNomination, Reading } from '../record.ts';

/** A category without its nominations, which are hundreds. */
export interface CategorySummary extends Category {
  tally: Tally;
  /** Those with nominations, latest first. */
  decades: number[];
}

async function loadCategory(reading: Reading, id: number): Promise<CategorySummary> {
  const { nominations, ...category } = await reading.nominated<Category>('categories', id);
  const decades = decadesOf(nominations.map(({ ceremony_year }) => ceremony_year));
  return { ...category, tally: tallyOf(nominations), decades };
}

function CategoryContent({ record: category }: { record: CategorySummary }) {
  const { decades } = category;
  const asked = Number(new URLSearchParams(usePlace().query).get(decadeParameter));
  const decade = decades.includes(asked) ? asked : decades[0];
  return (
    <article>
      <Heading title={category.category_name} above={<a href="/categories">Categories</a>}>
        <TallyLine tally={category.tally} />
      </Heading>
      {category.definition && <p class="prose">{category.definition}</p>}
      <Facts facts={[['Group', category.category_group]]} />
      {category.history && (
        <details>
          <summary>How the category came about</summary>
          <p class="prose">{category.history}</p>
        </details>
      )}
      {decade !== undefined && <DecadeEntries category={category} decade={decade} />}
      <RecordLinks resource="categories" id={category.id}>
        <a href={`/years?category_ids=${category.id}`}>This category over the years</a>
      </RecordLinks>
    </article>
  );
}

interface Decade {
  decade: number;
  nominations: DetailedNomination[];
}

async function loadDecade(reading: Reading, { id }: Category, decade: number): Promise<Decade> {
  const { nominations } = await reading.record<{ nominations: Nomination[] }>('categories', id);
  const own = nominations.filter(({ ceremony_year }) => decadeOf(ceremony_year) === decade);
  return { decade, nominations: await reading.withDetails(own) };
}

/** The entries of a decade, the latest ceremony first. */
function DecadeEntries({ category, decade }: { category: CategorySummary; decade: number }) {
  const answer = useAnswer(`categories/${category.id}?decade=${decade}`, (reading) =>
    loadDecade(reading, category, decade),
  );
  return (
    <Shown answer={answer}>
      {/* The decade that is shown can be the one before, while another one loads. */}
      {(shown) => (
        <Section id="nominations" title={`Nominations of the ${shown.decade}s`}>
          <Decades
            decades={category.decades}
            hrefOf={(other) => `?${decadeParameter}=${other}`}
            chosen={shown.decade}
          />
          {groupBy(shown.nominations, ({ ceremony_id }) => ceremony_id)
            .sort(([a, [one]], [b, [other]]) => other!.ceremony_year - one!.ceremony_year || b - a)
            .map(([ceremony, own]) => (
              <CeremonyEntries key={ceremony} nominations={own} group={category.category_group} />
            ))}
        </Section>
      )}
    </Shown>
  );
}

/** The entries of a category at one ceremony. */
function CeremonyEntries(props: { nominations: readonly DetailedNomination[]; group: string | null }) {
  const { nominations, group } = props;
  const entries = entriesOf(nominations);
  const { ceremony_id, ceremony_year } = nominations[0]!;
  return (
    <div class="award of-year">
      <h3>{recordLink('ceremonies', ceremony_id, ceremony_year)}</h3>
      <EntryList
        entries={entries}
        group={group}
        label={`${ceremony_year}, ${count(entries.length, 'entry', 'entries')}`}
      />
    </div>
  );
}

export const CategoryPage = recordPage('categories', CategoryContent, loadCategory);
