/** What is to do in the record: missing ids, near duplicates, odd values. */
import { fold, tokens } from '../../../api/contract/text.ts';
import { loadNames, type Names } from './matching.ts';
import { editHref, type NamedResource } from './naming.ts';

/** One thing to do. */
export interface Item {
  href: string;
  label: string;
  note: string;
}

/** Things of one kind. */
export interface Task {
  title: string;
  /** Why it matters, in one sentence. */
  reason: string;
  items: Item[];
}

/** @throws SnapshotUnavailable */
export async function findTasks(): Promise<Task[]> {
  const names = await loadNames();
  const honors = await names.snapshot.table('honors');
  const honored = {
    movies: new Set(honors.movie.filter((id) => id !== null)),
    nominees: new Set(honors.nominees.flat()),
  };
  const tasks = [
    {
      title: 'Perhaps entered twice',
      reason:
        'Their names differ by a letter or two. Open a pair to compare them, and merge them if they are one.',
      items: duplicates(names),
    },
    {
      title: 'Past categories without a winner',
      reason: 'The ceremony is over. Mark the winner, or leave it where no award was given.',
      items: withoutWinner(names),
    },
    {
      title: 'Release dates that do not fit',
      reason:
        'The film came out after its nomination, or many years before. Correct the date of its release.',
      items: oddYears(names),
    },
    {
      title: 'Films without an IMDb number',
      reason: 'Other services find a film by this number. Copy it from the address of its page at IMDb.',
      items: withoutId(names, 'movies'),
    },
    {
      title: 'People and companies without an IMDb number',
      reason: 'The number tells people of one name apart. Copy it from the address of their page at IMDb.',
      items: withoutId(names, 'nominees'),
    },
    {
      title: 'Without a nomination or an honor',
      reason: 'Nothing in the record names them. Delete those that were added by mistake.',
      items: [
        ...unused(names, 'movies', honored.movies),
        ...unused(names, 'nominees', honored.nominees),
        ...unused(names, 'songs', new Set()),
      ],
    },
  ];
  return tasks.filter(({ items }) => items.length > 0);
}

const itemOf = (names: Names, resource: NamedResource, id: number): Item => {
  const { label, note } = names.describeId(resource, id);
  return { href: editHref(resource, id), label, note };
};

const idsOf = ({ search: { columns } }: Names, resource: NamedResource): number[] =>
  columns[resource].text.values.map((_, row) => columns[resource].ids.id(row));

const imdbId = (names: Names, resource: NamedResource, id: number): string | null | undefined => {
  const table = names.imdbIds[resource];
  return table?.filmindex_id[table.row(id)];
};

const isNominated = ({ search: { columns } }: Names, resource: NamedResource, id: number): boolean =>
  columns[resource].references.nominationsOf(id).length > 0;

/** Newest first: those are worked on. */
function withoutId(names: Names, resource: NamedResource): Item[] {
  const ids = idsOf(names, resource).filter(
    (id) => isNominated(names, resource, id) && !imdbId(names, resource, id),
  );
  return ids.reverse().map((id) => itemOf(names, resource, id));
}

/** Those that neither a nomination nor an honor names. */
const unused = (names: Names, resource: NamedResource, honored: ReadonlySet<number>): Item[] =>
  idsOf(names, resource)
    .filter((id) => !isNominated(names, resource, id) && !honored.has(id))
    .map((id) => itemOf(names, resource, id));

/** Letters of a name in which a missing or wrong one is noticed. */
const minLetters = 8;

/** A name and its forms without one letter: two names that share a form are one or two edits apart. */
function* formsOf(letters: string): Generator<string> {
  yield letters;
  for (let i = 0; i < letters.length; i += 1) yield letters.slice(0, i) + letters.slice(i + 1);
}

/** Films and people that may be there twice: their names are near, and their ids of IMDb do not differ. */
function duplicates(names: Names): Item[] {
  const found: Item[] = [];
  for (const resource of ['nominees', 'movies'] as const) {
    const values = names.search.columns[resource].text.values;
    const byForm = new Map<string, number[]>();
    const pairs = new Set<string>();
    for (const [row, name] of values.entries()) {
      const letters = tokens(name ?? '').join('');
      if (letters.length < minLetters || /\d/.test(letters)) continue;
      for (const form of formsOf(letters)) {
        const others = byForm.get(form) ?? [];
        for (const other of others) pairs.add(`${other} ${row}`);
        byForm.set(form, [...others, row]);
      }
    }
    for (const pair of pairs) {
      const [one, other] = pair.split(' ').map((row) => names.idAt(resource, Number(row)));
      if (one === other || !isSuspect(names, resource, one!, other!)) continue;
      const [a, b] = [names.describeId(resource, one!), names.describeId(resource, other!)];
      const href = `${editHref(resource, a.id)}/merge?with=${b.id}`;
      found.push({ href, label: `${a.label} and ${b.label}`, note: `${a.note}; ${b.note}` });
    }
  }
  return found;
}

/** Records with different ids of IMDb are different. Films of one title are remakes, if years are apart. */
function isSuspect(names: Names, resource: NamedResource, one: number, other: number): boolean {
  const ids = [imdbId(names, resource, one), imdbId(names, resource, other)];
  if (ids[0] && ids[1]) return false;
  if (resource !== 'movies') return true;
  const [years, others] = [names.yearsOf(resource, one), names.yearsOf(resource, other)];
  const same = fold(names.describeId(resource, one).label) === fold(names.describeId(resource, other).label);
  const isNear = years.some((year) => others.some((own) => Math.abs(own - year) <= 2));
  return isNear || (same && (years.length === 0 || others.length === 0));
}

/** Categories with nominations and no winner, of ceremonies before the last. */
function withoutWinner({ search: { table } }: Names): Item[] {
  const outcomes = new Map<string, boolean>();
  let last = 0;
  for (let row = 0; row < table.count; row += 1) {
    last = Math.max(last, table.ceremony.idAt(row));
    const key = `${table.ceremony.idAt(row)} ${table.category.idAt(row)}`;
    outcomes.set(key, (outcomes.get(key) ?? false) || table.winner[row] === 1);
  }
  return [...outcomes].flatMap(([key, hasWinner]): Item[] => {
    const [ceremony, category] = key.split(' ').map(Number);
    if (hasWinner || ceremony === last) return [];
    const name = table.categories.name.values[table.categories.row(category!)]!;
    const year = table.ceremonies.year[table.ceremonies.row(ceremony!)];
    const href = `/edit/ceremonies/${ceremony}/categories/${category}`;
    return [{ href, label: `${name}, ${year}`, note: '' }];
  });
}

/** Years between a release and a nomination that are odd: films come late from abroad, but not as late. */
const oddBefore = 12;

function oddYears(names: Names): Item[] {
  const { films, search } = names;
  return idsOf(names, 'movies').flatMap((id): Item[] => {
    const date = films.release_date[films.row(id)];
    const rows = search.columns.movies.references.nominationsOf(id);
    if (!date || rows.length === 0) return [];
    const [release, years] = [Number(date.slice(0, 4)), Array.from(rows, search.yearOf)];
    const isOdd = release > Math.max(...years) || release < Math.min(...years) - oddBefore;
    const note = `released ${release}, nominated ${Math.min(...years)}`;
    return isOdd ? [{ ...itemOf(names, 'movies', id), note }] : [];
  });
}
