/** What the head of a page says about it: description, canonical address, picture, and structured data. */
import type { Category, Ceremony, Honor, Movie, Nominee, Song } from '../../../api/contract/resources.ts';
import { escapedHtml } from '../shared/hosting.ts';
import {
  capitalized,
  ceremonyTitle,
  count,
  honorTitle,
  joined,
  nouns,
  titleCased,
} from '../shared/format.ts';
import { awardsKey, type ShownAwards } from './awards.ts';
import { hrefOf, rankingHref, type View, withQuery } from './addresses.ts';
import { type Answers, dataText } from './answers.ts';
import { entriesOf, type Tally, tallyOf } from './counts.ts';
import type { CategorySummary } from './pages/category.tsx';
import { recordKey, sampleKey, siteName } from './parts/page.tsx';
import type { DetailedNomination, Nominated } from './record.ts';
import { shareKindOf, sharePicture } from './share-pictures.ts';
import { type Describable, structuredData } from './structured-data.ts';

export interface Described {
  view: View;
  path: string;
  query: string;
  /** Scheme and host of the site. */
  origin: string;
  /** Of the page, with the name of the site. */
  title: string;
  isFound: boolean;
  answers: Answers;
}

/** Search engines show about as much. */
const maxDescription = 160;

/** Kind of view → its description; that of a record is made from the record. */
const texts: Readonly<Record<string, string>> = {
  home: 'A century of film awards: every nomination and who won, films, people, ceremonies and songs.',
  timeline: 'Every ceremony of the film awards, and the film that won Best Picture there.',
  years: 'How many nominations and wins each year had, by category.',
  compare: 'Films or people of the film awards side by side: nominations, wins and shared ceremonies.',
  songs: 'The nominated songs by the year of their films.',
  search: 'Search films, people, songs, categories and ceremonies of the film awards.',
  downloads: 'The whole record of the film awards as files: CSV, NDJSON and SQLite.',
  ranking:
    'The most nominated films and people of the film awards, with filters by year, category and genre.',
  unrewarded: 'The people and films with the most nominations and no win.',
};

const tallyText = ({ nominations: all, wins, years }: Tally, inSample: string): string => {
  const won = wins > 0 ? ` and ${count(wins, 'win')}` : '';
  return `${count(all, 'nomination')}${won}${years ? ` (${[...new Set(years)].join('–')})` : ''}${inSample}`;
};

/** "Won: Directing, Film Editing." */
function wonText(nominations: readonly DetailedNomination[]): string {
  const won = entriesOf(nominations).filter(({ winner }) => winner);
  const names = [...new Set(won.map(({ first }) => first.category))];
  return names.length === 0 ? '' : ` Won: ${names.join(', ')}.`;
}

/** What each kind of record is described by. */
const descriptions = {
  movies: (film: Nominated<Movie>, inSample: string) =>
    `${film.title}${film.release_date ? ` (${film.release_date.slice(0, 4)})` : ''}: ${tallyText(tallyOf(film.nominations), inSample)}.${wonText(film.nominations)}`,
  nominees: (person: Nominated<Nominee>, inSample: string) =>
    `${person.name}: ${tallyText(tallyOf(person.nominations), inSample)}.${wonText(person.nominations)}`,
  ceremonies: (ceremony: Ceremony) =>
    ceremony.overview ?? `${joined(ceremonyTitle(ceremony), ceremony.venue)}: all nominations and winners.`,
  categories: (category: CategorySummary, inSample: string) =>
    `${category.category_name}: every nomination and winner, ${tallyText(category.tally, inSample)}.`,
  songs: (song: Nominated<Song>, inSample: string) =>
    `“${song.original_title}”${song.artist_names ? ` by ${song.artist_names}` : ''}: ${tallyText(tallyOf(song.nominations), inSample)}.`,
  honors: (honor: Honor) =>
    joined(
      honorTitle(honor),
      honor.recipients && titleCased(honor.category),
      String(honor.ceremony_year),
      honor.citation,
    ),
  nominations: (nomination: {
    nominee: { name: string };
    movie: { title: string };
    category: Category;
    ceremony: Ceremony;
    winner: boolean;
  }) =>
    `${nomination.nominee.name}, ${nomination.movie.title}: ${nomination.winner ? 'won' : 'nominated for'} ${nomination.category.category_name}, ${nomination.ceremony.ceremony_year}.`,
};

/** A text that ends after a whole word. */
function shortened(text: string): string {
  if (text.length <= maxDescription) return text;
  return `${text.slice(0, maxDescription).replace(/[\s,;:]+\S*$/, '')}…`;
}

export function descriptionOf({ view, answers, isFound }: Described): string {
  if (!isFound) return 'There is nothing at this address.';
  const isSample = answers.valueOf(sampleKey) === true;
  const ofRecord = (text: string) => (isSample ? `${text} This is a sample.` : text);
  if (view.kind === 'list')
    return ofRecord(`${capitalized(nouns[view.resource].many)} of the film awards, with filters.`);
  if (view.kind !== 'record') return ofRecord(texts[view.kind] ?? texts.home!);
  const describe = descriptions[view.resource] as (record: unknown, inSample: string) => string;
  const inSample = isSample ? ' in this sample' : '';
  return shortened(describe(answers.valueOf(recordKey(view.resource, view.id)), inSample));
}

/** The path of a record that is known, with the words of its title; undefined for other views, and for an unknown record. */
export function ownPath(view: View, answers: Answers): string | undefined {
  if (view.kind !== 'record') return undefined;
  const record = answers.valueOf(recordKey(view.resource, view.id));
  return record === undefined ? undefined : hrefOf(view.resource, record as never);
}

/** Path and query of a page under which search engines list it. */
function canonicalPath({ view, path, query, answers }: Described): string {
  if (view.kind === 'ranking') return rankingHref(view.ranking, query);
  return ownPath(view, answers) ?? withQuery(path, query);
}

const openGraphTypes: Readonly<Record<string, string>> = {
  movies: 'video.movie',
  nominees: 'profile',
  songs: 'music.song',
};
const element = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([own, value]) => ` ${own}="${escapedHtml(value)}"`)
    .join('')}>\n`;

/** More elements of the head. */
export function headOf(described: Described): string {
  const { view, origin, title, isFound } = described;
  if (!isFound) return element('meta', { name: 'robots', content: 'noindex' });
  const url = origin + canonicalPath(described);
  const picture = sharePicture(shareKindOf(view));
  const properties = {
    'og:site_name': siteName,
    'og:type': (view.kind === 'record' && openGraphTypes[view.resource]) || 'website',
    'og:title': title,
    'og:description': descriptionOf(described),
    'og:url': url,
    'og:image': origin + picture.path,
    'og:image:width': String(picture.width),
    'og:image:height': String(picture.height),
    'og:image:alt': siteName,
  };
  const thing = thingOf(described, url);
  return [
    element('link', { rel: 'canonical', href: url }),
    // Results of a search are no pages of their own.
    view.kind === 'search' ? element('meta', { name: 'robots', content: 'noindex' }) : '',
    ...Object.entries(properties).map(([property, content]) => element('meta', { property, content })),
    element('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    thing ? `<script type="application/ld+json">${dataText(thing)}</script>\n` : '',
  ].join('');
}

function thingOf({ view, answers }: Described, url: string): object | undefined {
  if (view.kind !== 'record') return undefined;
  const { resource, id } = view;
  const value = answers.valueOf(recordKey(resource, id));
  if (resource === 'ceremonies') {
    const shown = answers.valueOf(awardsKey(id)) as ShownAwards<DetailedNomination> | undefined;
    const nominations = shown?.awards.flatMap((award) => award.nominations) ?? [];
    return structuredData(resource, { record: value as Ceremony, nominations }, url);
  }
  if (resource !== 'movies' && resource !== 'nominees' && resource !== 'songs') return undefined;
  return structuredData(resource, value as Describable[typeof resource] & never, url);
}
