/** The page of a category: what it honours and how it came about, and its nominations, a decade at a time. */
import type { Category, Nomination } from '../../../../api/contract/resources.ts';
import { recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { entriesOf, groupBy, tallyOf } from '../entries.ts';
import { count } from '../format.ts';
import { usePlace } from '../navigation.ts';
import { Facts, RecordLinks, TallyLine } from '../parts/facts.tsx';
import { EntryLines } from '../parts/nominations.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { askRecord } from '../record.ts';

type CategoryWithNominations = Category & { nominations: Nomination[] };

export const decadeOf = (year: number): number => year - (year % 10);

/** Groups of awards that are given to people for a film, rather than to a film. */
export const isPersonal = (group: string | null): boolean => group === 'Acting' || group === 'Direction';

export function CategoryPage({ id }: { id: number }) {
  const answer = useAnswer(`categories/${id}`, () => askRecord<CategoryWithNominations>('categories', id));
  return (
    <Shown answer={answer} what="category">
      {(category) => <CategoryShown category={category} />}
    </Shown>
  );
}

function CategoryShown({ category }: { category: CategoryWithNominations }) {
  const { nominations } = category;
  const decades = [...new Set(nominations.map((it) => decadeOf(it.ceremony_year)))].sort((a, b) => b - a);
  const asked = Number(new URLSearchParams(usePlace().query).get('decade'));
  const decade = decades.includes(asked) ? asked : decades[0];
  const own = nominations.filter((it) => decadeOf(it.ceremony_year) === decade).reverse();
  return (
    <article>
      <Heading title={category.category_name} above={<a href="/categories">Categories</a>}>
        <TallyLine tally={tallyOf(nominations)} />
      </Heading>
      {category.definition && <p class="prose">{category.definition}</p>}
      <Facts facts={[['Group', category.category_group]]} />
      {category.history && (
        <details>
          <summary>How the category came about</summary>
          <p class="prose">{category.history}</p>
        </details>
      )}
      {decade !== undefined && (
        <Section id="nominations" title={`Nominations of the ${decade}s`}>
          <Decades decades={decades} chosen={decade} />
          {groupBy(own, ({ ceremony_id }) => ceremony_id).map(([ceremony, nominated]) => (
            <CeremonyOfCategory
              key={ceremony}
              ceremony={ceremony}
              nominations={nominated}
              person={isPersonal(category.category_group)}
            />
          ))}
        </Section>
      )}
      <RecordLinks resource="categories" id={category.id}>
        <a href={`/years?${new URLSearchParams({ category_ids: String(category.id) })}`}>
          This category over the years
        </a>
      </RecordLinks>
    </article>
  );
}

function Decades({ decades, chosen }: { decades: readonly number[]; chosen: number }) {
  return (
    <nav aria-label="Decades" class="chips">
      {decades.map((decade) => (
        <a key={decade} href={`?decade=${decade}`} aria-current={decade === chosen ? 'true' : undefined}>
          {decade}s
        </a>
      ))}
    </nav>
  );
}

function CeremonyOfCategory(props: { ceremony: number; nominations: Nomination[]; person: boolean }) {
  const { ceremony, nominations, person } = props;
  const entries = entriesOf([...nominations].reverse());
  const winnersFirst = [
    ...entries.filter(({ first }) => first.winner),
    ...entries.filter(({ first }) => !first.winner),
  ];
  const year = nominations[0]!.ceremony_year;
  return (
    <div class="award of-year">
      <h3>
        <a href={recordHref('ceremonies', ceremony)}>{year}</a>
      </h3>
      <ul class="entries" aria-label={`${year}, ${count(entries.length, 'entry', 'entries')}`}>
        {winnersFirst.map((entry) => (
          <EntryLines key={entry.first.id} entry={entry} person={person} />
        ))}
      </ul>
    </div>
  );
}
