/**
 * The lists layer: the films of each category and each ceremony as JSON, which media tools such as Radarr
 * take as a custom list, and as RSS 2.0, with an index of them. Values that may not be passed on are never in
 * it.
 */
import type { FilmListIndex, ListedFilm } from '../../api/contract/answers.ts';
import {
  ceremonyOfSlug,
  type ListKind,
  listIndexPath,
  listKinds,
  listsFolder,
} from '../../api/contract/layers.ts';
import { escapedXml, fold, withoutApostrophes } from '../../api/contract/text.ts';
import { filmYears, newestFirst } from '../../api/read/named-columns.ts';
import { restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { NominationTable, Table } from '../../api/read/tables.ts';
import { type Layer, madeFile } from './layer.ts';

/** A file name has at most 255 bytes, and an address should be readable. */
const maxSlugLength = 80;

/** The nominations that a folder of lists is about. */
interface Topic {
  resource: 'categories' | 'ceremonies';
  id: number;
  /** Name of the folder. */
  slug: string;
  title: string;
}

/** A film in both formats. */
interface Film {
  id: number;
  listed: ListedFilm;
  /** The film years as the source writes them, such as 1927/28: what people read. */
  years: string;
}

/** @param origin of the links in feeds, such as https://awards.example; without it they are relative */
export function listsLayer(origin = ''): Layer {
  return {
    name: 'lists',
    options: origin,
    isMadeWhole: true,
    async *files(snapshot) {
      const table = await snapshot.table('nominations');
      const filmAt = await filmReader(snapshot);
      const data: FilmListIndex['data'] = [];
      for (const topic of await topicsOf(snapshot, table))
        for (const kind of listKinds) {
          const films = await filmsOf(table, topic, kind, filmAt);
          const title = `${topic.title}: ${kind}`;
          const path = `${listsFolder}/${topic.slug}/${kind}` as const;
          yield madeFile(`${path}.json`, `${JSON.stringify(films.map(({ listed }) => listed))}\n`);
          yield madeFile(`${path}.rss`, rssText(title, topic, films, origin));
          data.push({
            title,
            kind,
            category_id: topic.resource === 'categories' ? topic.id : null,
            ceremony_id: topic.resource === 'ceremonies' ? topic.id : null,
            films: films.length,
            json: `/${path}.json`,
            rss: `/${path}.rss`,
          });
        }
      yield madeFile(listIndexPath, `${JSON.stringify({ data, count: data.length })}\n`);
    },
  };
}

/** Categories by id, then ceremonies, newest first. */
async function topicsOf(snapshot: Snapshot, { categories, ceremonies }: NominationTable): Promise<Topic[]> {
  const topics = categoryTopics(categories);
  for (const row of newestFirst(ceremonies)) {
    const id = ceremonies.id(row);
    const { show_title, ceremony_year } = await snapshot.existing('ceremonies', id);
    const title = `${show_title ?? `Ceremony ${id}`} (${ceremony_year})`;
    topics.push({ resource: 'ceremonies', id, slug: `ceremony-${id}`, title });
  }
  return topics;
}

/** Of categories with equal slugs the one with the lowest id keeps it, the others get their id. */
function categoryTopics(categories: Table<'categories'>): Topic[] {
  const taken = new Set<string>();
  return Array.from({ length: categories.count }, (_, row) => {
    const [id, title] = [categories.id(row), categories.name.values[row]!];
    let slug = slugOf(title);
    while (slug === '' || taken.has(slug) || ceremonyOfSlug(slug) !== undefined)
      slug = slug === '' ? `category-${id}` : `${slug}-${id}`;
    taken.add(slug);
    return { resource: 'categories', id, slug, title };
  });
}

/**
 * "Writing (Original Screenplay)" → "writing-original-screenplay". Empty where there is no letter a to z and
 * no digit.
 */
const slugOf = (name: string): string =>
  withoutApostrophes(fold(name))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|-+$/g, '');

/** Film of a row of the table of films; undefined without an id that media tools know. */
type FilmAt = (row: number) => Promise<Film | undefined>;

async function filmReader(snapshot: Snapshot): Promise<FilmAt> {
  const [films, years, restricted] = await Promise.all([
    snapshot.table('films'),
    filmYears(snapshot),
    restrictedFields(snapshot, 'movies'),
  ]);
  const read = async (row: number): Promise<Film | undefined> => {
    const [id, imdb_id] = [films.id(row), films.filmindex_id[row]!];
    if (imdb_id === null) return undefined;
    const { title, poster_path, release_date } = await snapshot.existing('movies', id);
    const isRestricted = (field: string) => restricted.get(id)?.some((own) => own.field === field) === true;
    const poster = isRestricted('poster_path') ? null : poster_path;
    const released = isRestricted('release_date') ? null : release_date;
    // A listed film has a nomination, so it has a film year.
    const { film_year, film_years } = years[row]!;
    const year = released === null ? film_year : Number(released.slice(0, 4));
    const listed = { title, imdb_id, ...(poster !== null && { poster_url: poster }), year };
    return { id, listed, years: film_years };
  };
  const known = new Map<number, Promise<Film | undefined>>();
  return (row) => {
    const film = known.get(row) ?? read(row);
    known.set(row, film);
    return film;
  };
}

/** The ceremony that announced its winners alone: its nominations count, though none of them is official. */
const ceremonyWithoutNominees = 2;

/**
 * By the ceremony of a film's latest such official nomination, newest first, then by id; each IMDb id once.
 */
async function filmsOf(
  { movie, ceremony, winner, official, ceremonies, category }: NominationTable,
  { resource, id }: Topic,
  kind: ListKind,
  filmAt: FilmAt,
): Promise<Film[]> {
  /** Row of a film → row of the ceremony. */
  const latest = new Map<number, number>();
  const order = (a: number, b: number) => ceremonies.year[a]! - ceremonies.year[b]! || a - b;
  for (const row of (resource === 'categories' ? category : ceremony).nominationsOf(id)) {
    if (kind === 'winners' && winner[row] === 0) continue;
    if (official[row] === 0 && ceremony.idAt(row) !== ceremonyWithoutNominees) continue;
    const [film, own] = [movie.rows[row]!, ceremony.rows[row]!];
    if (order(own, latest.get(film) ?? own) >= 0) latest.set(film, own);
  }
  const films = new Map<string, Film>();
  for (const [row] of [...latest].sort(([film, a], [other, b]) => order(b, a) || film - other)) {
    const film = await filmAt(row);
    if (film && !films.has(film.listed.imdb_id)) films.set(film.listed.imdb_id, film);
  }
  return [...films.values()];
}

/** A feed of RSS 2.0 without a date: its bytes depend on its content alone. */
function rssText(title: string, { resource, id }: Topic, films: readonly Film[], origin: string): string {
  const items = films.map(({ id: film, listed: { title: name, imdb_id }, years }) =>
    [
      `<item><title>${escapedXml(`${name} (${years})`)}</title>`,
      // Where Radarr looks for the id.
      `<link>https://www.imdb.com/title/${escapedXml(imdb_id)}/</link>`,
      `<guid isPermaLink="false">${escapedXml(imdb_id)}</guid>`,
      `<comments>${escapedXml(`${origin}/movies/${film}`)}</comments></item>`,
    ].join(''),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0">',
    '<channel>',
    `<title>${escapedXml(title)}</title>`,
    `<link>${escapedXml(`${origin}/${resource}/${id}`)}</link>`,
    `<description>${escapedXml(`Films of ${title}, newest first.`)}</description>`,
    ...items,
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}
