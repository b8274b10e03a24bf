/**
 * The lists layer: the films of each category and each ceremony as JSON, which media tools such as Radarr take as a custom
 * list, and as RSS 2.0, with an index of them. Values that may not be passed on are never in it.
 */
import type { FilmListIndex, ListedFilm } from '../../api/contract/answers.ts';
import {
  ceremonyOfSlug,
  type ListKind,
  listIndexPath,
  listKinds,
  listsFolder,
} from '../../api/contract/layers.ts';
import type { Ceremony, Movie } from '../../api/contract/resources.ts';
import { fold, withoutApostrophes } from '../../api/contract/text.ts';
import { filmYears } from '../../api/read/named-columns.ts';
import type { NominationTable } from '../../api/read/nomination-table.ts';
import { type RestrictedField, restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { CategoryTable, FilmTable } from '../../api/read/tables.ts';
import type { Layer, LayerFile } from './layer.ts';

/** Every change of the snapshot may change every list. */
const topic = 'any';
const encoder = new TextEncoder();
/** A file name has at most 255 bytes, and an address should be readable. */
const maxSlugLength = 80;

const ceremonySlug = (id: number): string => `ceremony-${id}`;

/** @param slug name of the folder @param format JSON, as Radarr takes it, or RSS 2.0 */
const filmListPath = <F extends 'json' | 'rss'>(slug: string, kind: ListKind, format: F) =>
  `${listsFolder}/${slug}/${kind}.${format}` as const;

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

/** Category id → its slug. Of categories with equal slugs the one with the lowest id keeps it, the others get their id. */
function categorySlugs(categories: CategoryTable): ReadonlyMap<number, string> {
  const taken = new Set<string>();
  const slugs = new Map<number, string>();
  for (let row = 0; row < categories.count; row += 1) {
    const id = categories.id(row);
    let slug = slugOf(categories.name.values[row] ?? '');
    while (slug === '' || taken.has(slug) || ceremonyOfSlug(slug) !== undefined)
      slug = slug === '' ? `category-${id}` : `${slug}-${id}`;
    taken.add(slug);
    slugs.set(id, slug);
  }
  return slugs;
}

/** "Writing (Original Screenplay)" → "writing-original-screenplay". Empty where there is no letter a to z and no digit. */
const slugOf = (name: string): string =>
  withoutApostrophes(fold(name))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|-+$/g, '');

/** @param origin of the links in feeds, such as https://awards.example */
export function listsLayer(origin: string): Layer {
  return {
    name: 'lists',
    options: origin,
    async *all(snapshot) {
      const lists = await Lists.of(snapshot, origin);
      for (const own of lists.topics) yield* lists.files(own);
      yield lists.index();
    },
  };
}

/** The lists of one snapshot. */
class Lists {
  readonly topics: readonly Topic[];
  readonly #snapshot: Snapshot;
  readonly #origin: string;
  readonly #table: NominationTable;
  readonly #films: FilmTable;
  readonly #years: readonly (number | null)[];
  readonly #restricted: ReadonlyMap<number, readonly RestrictedField[]>;
  readonly #listed = new Map<number, ListedFilm>();
  /** Rows of films by slug and kind: both files of a list need them, and the index. */
  readonly #rows = new Map<string, readonly number[]>();

  private constructor(
    snapshot: Snapshot,
    origin: string,
    table: NominationTable,
    films: FilmTable,
    years: readonly (number | null)[],
    restricted: ReadonlyMap<number, readonly RestrictedField[]>,
  ) {
    this.#snapshot = snapshot;
    this.#origin = origin;
    this.#table = table;
    this.#films = films;
    this.#years = years;
    this.#restricted = restricted;
    this.topics = topicsOf(table);
  }

  static async of(snapshot: Snapshot, origin: string): Promise<Lists> {
    const [table, films, years, restricted] = await Promise.all([
      snapshot.table('nominations'),
      snapshot.table('films'),
      filmYears(snapshot),
      restrictedFields(snapshot, 'movies'),
    ]);
    return new Lists(snapshot, origin, table, films, years, restricted);
  }

  /** The files of a category or ceremony. */
  *files(own: Topic): Generator<LayerFile> {
    for (const kind of listKinds) {
      const json = async () => `${JSON.stringify(await this.#filmsOf(own, kind))}\n`;
      const rss = () => this.#feed(own, kind);
      for (const [format, text] of [['json', json] as const, ['rss', rss] as const])
        yield {
          path: filmListPath(own.slug, kind, format),
          topic,
          content: async () => encoder.encode(await text()),
        };
    }
  }

  /** The file that names all lists. */
  index(): LayerFile {
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
    return { path: listIndexPath, topic, content };
  }

  async #feed(topic: Topic, kind: ListKind): Promise<string> {
    const title = `${await this.#titleOf(topic)}: ${kind}`;
    const items: Item[] = [];
    for (const row of this.#rowsOf(topic, kind)) {
      const { title: own, imdb_id, year } = await this.#film(row);
      items.push({
        title: `${own} (${year})`,
        // Where Radarr looks for the id.
        link: `https://www.imdb.com/title/${imdb_id}/`,
        guid: imdb_id,
        comments: `${this.#origin}/movies/${this.#films.id(row)}`,
      });
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

  /**
   * The films by the ceremony of their latest such nomination, newest first, then by id. Only those with an id that tools know,
   * each id once.
   */
  #findRows({ resource, id }: Topic, kind: ListKind): number[] {
    const { movie, ceremony, winner, ceremonies, ...table } = this.#table;
    const reference = resource === 'categories' ? table.category : ceremony;
    const latest = new Map<number, number>();
    const isNewer = (a: number, b: number) => (ceremonies.year[a]! - ceremonies.year[b]! || a - b) > 0;
    for (const row of reference.nominationsOf(id)) {
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
      // A listed film has a nomination, so it has a film year.
      year: released === null ? this.#years[row]! : Number(released.slice(0, 4)),
    };
    this.#listed.set(row, film);
    return film;
  }
}

interface Item {
  title: string;
  link: string;
  guid: string;
  comments: string;
}

interface Channel {
  title: string;
  link: string;
  description: string;
  items: readonly Item[];
}

/** A feed without a date: its bytes depend on its content alone. */
function rssText({ title, link, description, items }: Channel): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0">',
    '<channel>',
    `<title>${escaped(title)}</title>`,
    `<link>${escaped(link)}</link>`,
    `<description>${escaped(description)}</description>`,
    ...items.map(
      (item) =>
        `<item><title>${escaped(item.title)}</title><link>${escaped(item.link)}</link>` +
        `<guid isPermaLink="false">${escaped(item.guid)}</guid><comments>${escaped(item.comments)}</comments></item>`,
    ),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** Characters that XML 1.0 cannot have, not even escaped. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.replaceAll(impossible, '\ufffd').replaceAll(/[&<>"]/g, (character) => entities[character]!);
