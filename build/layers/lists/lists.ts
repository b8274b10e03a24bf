/** Every list of films of a snapshot, and the lists that a difference between two snapshots affects. */
import type { FilmListIndex, ListedFilm } from '../../../api/contract/film-lists.ts';
import {
  ceremonySlug,
  filmListPath,
  type ListKind,
  listIndexPath,
  listKinds,
} from '../../../api/contract/lists.ts';
import type { Ceremony, Movie } from '../../../api/contract/resources.ts';
import { restrictedFamily } from '../../../api/contract/snapshot.ts';
import type { NominationTable } from '../../../api/read/nomination-table.ts';
import { type RestrictedField, restrictedFields } from '../../../api/read/restricted.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { FilmTable } from '../../../api/read/tables.ts';
import { differs, findAffected } from '../affected.ts';
import type { LayerFile } from '../layer.ts';
import { rssText } from './rss.ts';
import { categorySlugs } from './slugs.ts';

const everyListCause = 'every list is made';
const encoder = new TextEncoder();

/** The nominations that a folder of lists is about. */
interface Topic {
  resource: 'categories' | 'ceremonies';
  id: number;
  slug: string;
}

/** Categories by id, then ceremonies, newest first. */
function topicsOf({ categories, ceremonies }: NominationTable): Topic[] {
  return [
    ...[...categorySlugs(categories)].map(([id, slug]): Topic => ({ resource: 'categories', id, slug })),
    ...ceremonies.newestFirst().map((row): Topic => {
      const id = ceremonies.id(row);
      return { resource: 'ceremonies', id, slug: ceremonySlug(id) };
    }),
  ];
}

/** @param origin of the links in feeds */
export async function* allListFiles(snapshot: Snapshot, origin: string): AsyncGenerator<LayerFile> {
  const lists = await Lists.of(snapshot, origin);
  for (const topic of lists.topics) yield* lists.files(topic, everyListCause);
  yield lists.index(everyListCause);
}

/** The lists that may differ between two snapshots. */
export async function* affectedListFiles(
  before: Snapshot,
  after: Snapshot,
  origin: string,
): AsyncGenerator<LayerFile> {
  const causes = await affectedTopics(before, after);
  const [was, is] = [topicsOf(await before.nominations()), await Lists.of(after, origin)];
  const causeOf = ({ resource, id }: Topic) => causes[resource].get(id);
  const now = new Map(is.topics.map((topic) => [topic.slug, topic]));
  let cause: string | undefined;
  for (const { slug, resource, id } of was) {
    const other = now.get(slug);
    if (other?.resource === resource && other.id === id) continue;
    cause = `${slug} is now another list, or none`;
    if (other === undefined) yield* removedFiles(slug, cause);
    else yield* is.files(other, cause);
  }
  const old = new Set(was.map(({ slug }) => slug));
  for (const topic of is.topics) {
    const own = old.has(topic.slug) ? causeOf(topic) : `${topic.slug} is new`;
    if (own === undefined) continue;
    cause = own;
    yield* is.files(topic, own);
  }
  if (cause !== undefined) yield is.index(cause);
}

function* removedFiles(slug: string, cause: string): Generator<LayerFile> {
  for (const kind of listKinds)
    for (const format of ['json', 'rss'] as const)
      yield { path: filmListPath(slug, kind, format), cause, content: async () => undefined };
}

/** The categories and ceremonies with a nomination that is shown anew, or with a film whose values may now be passed on or not. */
async function affectedTopics(before: Snapshot, after: Snapshot) {
  const { changed, shown } = await findAffected(before, after);
  const categories = new Map(shown.categories);
  const ceremonies = new Map(changed.ceremonies);
  const movies = await restrictionChanges(before, after);
  for (const snapshot of [before, after]) {
    const table = await snapshot.nominations();
    const add = (row: number, cause: string) => {
      ceremonies.set(table.ceremony.idAt(row), cause);
      categories.set(table.category.idAt(row), cause);
    };
    for (const [id, cause] of shown.nominations) {
      const row = table.row(id);
      if (row >= 0) add(row, cause);
    }
    for (const id of movies) {
      const movie = table.movie.table.row(id);
      if (movie < 0) continue;
      for (const row of table.movie.postings.of(movie)) add(row, `the terms of movies ${id} changed`);
    }
  }
  return { categories, ceremonies };
}

/** The films whose restricted fields differ. */
async function restrictionChanges(before: Snapshot, after: Snapshot): Promise<Set<number>> {
  if (!differs(restrictedFamily('movies'), before, after)) return new Set();
  const [was, is] = [await restrictedFields(before, 'movies'), await restrictedFields(after, 'movies')];
  const isChanged = (id: number) => JSON.stringify(was.get(id)) !== JSON.stringify(is.get(id));
  return new Set([...was.keys(), ...is.keys()].filter(isChanged));
}

/** The lists of one snapshot. */
class Lists {
  readonly topics: readonly Topic[];
  readonly #snapshot: Snapshot;
  readonly #origin: string;
  readonly #table: NominationTable;
  readonly #films: FilmTable;
  readonly #restricted: ReadonlyMap<number, readonly RestrictedField[]>;
  readonly #listed = new Map<number, ListedFilm>();
  /** Rows of films by slug and kind: both files of a list need them, and the index. */
  readonly #rows = new Map<string, readonly number[]>();

  private constructor(
    snapshot: Snapshot,
    origin: string,
    table: NominationTable,
    films: FilmTable,
    restricted: ReadonlyMap<number, readonly RestrictedField[]>,
  ) {
    this.#snapshot = snapshot;
    this.#origin = origin;
    this.#table = table;
    this.#films = films;
    this.#restricted = restricted;
    this.topics = topicsOf(table);
  }

  static async of(snapshot: Snapshot, origin: string): Promise<Lists> {
    const [table, films] = await Promise.all([snapshot.nominations(), snapshot.films()]);
    return new Lists(snapshot, origin, table, films, await restrictedFields(snapshot, 'movies'));
  }

  /** The files of a category or ceremony. */
  *files(topic: Topic, cause: string): Generator<LayerFile> {
    for (const kind of listKinds) {
      const json = async () => `${JSON.stringify(await this.#filmsOf(topic, kind))}\n`;
      const rss = () => this.#feed(topic, kind);
      for (const [format, text] of [['json', json] as const, ['rss', rss] as const])
        yield {
          path: filmListPath(topic.slug, kind, format),
          cause,
          content: async () => encoder.encode(await text()),
        };
    }
  }

  /** The file that names all lists. */
  index(cause: string): LayerFile {
    const entry = async (topic: Topic, kind: ListKind): Promise<FilmListIndex['data'][number]> => ({
      title: `${await this.#titleOf(topic)}: ${kind}`,
      kind,
      category_id: topic.resource === 'categories' ? topic.id : null,
      ceremony_id: topic.resource === 'ceremonies' ? topic.id : null,
      films: this.#rowsOf(topic, kind).length,
      json: `/${filmListPath(topic.slug, kind, 'json')}`,
      rss: `/${filmListPath(topic.slug, kind, 'rss')}`,
    });
    const content = async () => {
      const data: FilmListIndex['data'] = [];
      for (const topic of this.topics) for (const kind of listKinds) data.push(await entry(topic, kind));
      return encoder.encode(`${JSON.stringify({ data, count: data.length })}\n`);
    };
    return { path: listIndexPath, cause, content };
  }

  async #feed(topic: Topic, kind: ListKind): Promise<string> {
    const title = `${await this.#titleOf(topic)}: ${kind}`;
    const items: { title: string; link: string; guid: string }[] = [];
    for (const row of this.#rowsOf(topic, kind)) {
      const { title: own, imdb_id } = await this.#film(row);
      items.push({ title: own, link: `${this.#origin}/movies/${this.#films.id(row)}`, guid: imdb_id });
    }
    const link = `${this.#origin}/${topic.resource}/${topic.id}`;
    return rssText({ title, link, description: `Films of ${title}, newest first.`, items });
  }

  async #titleOf({ resource, id }: Topic): Promise<string> {
    const { categories } = this.#table;
    if (resource === 'categories') return categories.name.values[categories.row(id)]!;
    const { show_title, ceremony_year } = JSON.parse(await this.#snapshot.existing(resource, id)) as Ceremony;
    return `${show_title ?? `Ceremony ${id}`} (${ceremony_year})`;
  }

  async #filmsOf(topic: Topic, kind: ListKind): Promise<ListedFilm[]> {
    const films: ListedFilm[] = [];
    for (const row of this.#rowsOf(topic, kind)) films.push(await this.#film(row));
    return films;
  }

  #rowsOf(topic: Topic, kind: ListKind): readonly number[] {
    const key = `${topic.slug}/${kind}`;
    const rows = this.#rows.get(key) ?? this.#findRows(topic, kind);
    this.#rows.set(key, rows);
    return rows;
  }

  /** The films by the ceremony of their latest such nomination, newest first, then by id. Only those with an id that tools know, each id once. */
  #findRows({ resource, id }: Topic, kind: ListKind): number[] {
    const { movie, ceremony, winner, ceremonies, ...table } = this.#table;
    const reference = resource === 'categories' ? table.category : ceremony;
    const latest = new Map<number, number>();
    const isNewer = (a: number, b: number) => (ceremonies.year[a]! - ceremonies.year[b]! || a - b) > 0;
    for (const row of reference.postings.of(reference.table.row(id))) {
      if (kind === 'winners' && winner[row] === 0) continue;
      const [film, own] = [movie.rows[row]!, ceremony.rows[row]!];
      const before = latest.get(film);
      if (before === undefined || isNewer(own, before)) latest.set(film, own);
    }
    const sorted = [...latest].sort(([film, a], [other, b]) =>
      a === b ? film - other : isNewer(a, b) ? -1 : 1,
    );
    const ids = new Set<string>();
    return sorted
      .map(([film]) => film)
      .filter((film) => {
        const own = this.#films.filmindexId[film]!;
        return own !== null && !ids.has(own) && ids.add(own);
      });
  }

  async #film(row: number): Promise<ListedFilm> {
    const known = this.#listed.get(row);
    if (known) return known;
    const id = this.#films.id(row);
    const record = JSON.parse(await this.#snapshot.existing('movies', id)) as Movie;
    const mayBePassedOn = (field: keyof Movie) =>
      !this.#restricted.get(id)?.some((own) => own.field === field);
    const poster = mayBePassedOn('poster_path') ? record.poster_path : null;
    const released = mayBePassedOn('release_date') ? record.release_date : null;
    const film: ListedFilm = {
      title: record.title,
      imdb_id: record.filmindex_id!,
      ...(poster !== null && { poster_url: poster }),
      year: released === null ? null : Number(released.slice(0, 4)),
    };
    this.#listed.set(row, film);
    return film;
  }
}
