/** The page of a ceremony: when and where, and everything that was nominated there, by category, winners first. */
import type { Category, Ceremony, Nomination } from '../../../../api/contract/resources.ts';
import type { Pagination } from '../../../../api/read/documents.ts';
import { recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { entriesOf, groupBy } from '../entries.ts';
import { date, filmYears } from '../format.ts';
import { elsewhere, Facts, RecordLinks } from '../parts/facts.tsx';
import { EntryLines } from '../parts/nominations.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { ask, askRecord } from '../record.ts';
import { isPersonal } from './category.tsx';

export function CeremonyPage({ id }: { id: number }) {
  const answer = useAnswer(`ceremonies/${id}`, () => askRecord<Ceremony>('ceremonies', id));
  return (
    <Shown answer={answer} what="ceremony">
      {(ceremony) => <CeremonyShown ceremony={ceremony} />}
    </Shown>
  );
}

function CeremonyShown({ ceremony }: { ceremony: Ceremony }) {
  const { id } = ceremony;
  const awards = useAnswer(`awards/${id}`, () => awardsOf(id));
  const films = filmYears(ceremony.movies_eligible);
  return (
    <article>
      <Heading
        title={ceremony.show_title ?? `Ceremony of ${ceremony.ceremony_year}`}
        above={<a href="/timeline">Ceremonies</a>}
      >
        <p class="tally">
          {ceremony.date ? date(ceremony.date) : ceremony.ceremony_year}
          {films && ` · for films of ${films}`}
        </p>
      </Heading>
      {ceremony.overview && <p class="prose">{ceremony.overview}</p>}
      <Facts
        facts={[
          ['Venue', ceremony.venue],
          ['Honours', ceremony.movies_eligible],
          ['Read more', elsewhere(ceremony.wikiurl, 'encyclopedia')],
        ]}
      />
      <Moments ceremony={ceremony} />
      <Shown answer={awards} what="ceremony">
        {(groups) => <Awards awards={groups} />}
      </Shown>
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

interface Award {
  category: Category;
  nominations: Nomination[];
}

/** Everything nominated at a ceremony, in the order of the categories. */
async function awardsOf(ceremony: number): Promise<Award[]> {
  const page = (number: number) =>
    ask<{ data: Nomination[]; pagination: Pagination }>(
      `/api/nominations?ceremony_ids=${ceremony}&limit=100&page=${number}`,
    );
  const [first, { data: categories }] = await Promise.all([
    page(1),
    ask<{ data: Category[] }>('/api/categories'),
  ]);
  const others = Array.from({ length: Math.max(0, first.pagination.totalPages - 1) }, (_, i) => page(i + 2));
  const nominations = [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
  const groups = new Map(groupBy(nominations, ({ category_id }) => category_id));
  return categories
    .filter(({ id }) => groups.has(id))
    .map((category) => ({ category, nominations: groups.get(category.id)! }));
}

function Awards({ awards }: { awards: readonly Award[] }) {
  if (awards.length === 0) return <p>No nominations of this ceremony are on record.</p>;
  return (
    <>
      <nav aria-label="Categories of this ceremony" class="jumps">
        {awards.map(({ category }) => (
          <a key={category.id} href={`#category-${category.id}`}>
            {category.category_name}
          </a>
        ))}
      </nav>
      <div class="awards">
        {awards.map(({ category, nominations }) => (
          <CategoryOfCeremony key={category.id} category={category} nominations={nominations} />
        ))}
      </div>
    </>
  );
}

function CategoryOfCeremony({ category, nominations }: Award) {
  const entries = entriesOf(nominations);
  const winnersFirst = [
    ...entries.filter(({ first }) => first.winner),
    ...entries.filter(({ first }) => !first.winner),
  ];
  return (
    <section class="award" aria-labelledby={`category-${category.id}`}>
      <h2 id={`category-${category.id}`}>
        <a href={recordHref('categories', category.id)}>{category.category_name}</a>
      </h2>
      <ul class="entries">
        {winnersFirst.map((entry) => (
          <EntryLines key={entry.first.id} entry={entry} person={isPersonal(category.category_group)} />
        ))}
      </ul>
    </section>
  );
}

/** The ceremonies before and after this one. */
function Neighbours({ id }: { id: number }) {
  const all = useAnswer('ceremonies', () => ask<{ data: Ceremony[] }>('/api/ceremonies'));
  const ceremonies = all.value?.data ?? [];
  const at = ceremonies.findIndex((ceremony) => ceremony.id === id);
  const [after, before] = [ceremonies[at - 1], ceremonies[at + 1]];
  return (
    <nav class="neighbours" aria-label="Other ceremonies">
      {before && (
        <a rel="prev" href={recordHref('ceremonies', before.id)}>
          ← {before.show_title ?? before.ceremony_year}
        </a>
      )}
      {after && (
        <a rel="next" href={recordHref('ceremonies', after.id)}>
          {after.show_title ?? after.ceremony_year} →
        </a>
      )}
    </nav>
  );
}
