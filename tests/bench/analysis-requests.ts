/** Requests with the parameters beyond the interface: sorted lists, counts, embedded records, mistyped names, whole exports. */
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from '../support/random.ts';
import {
  type DrawParameters,
  list,
  paging,
  partOf,
  type RequestKind,
  request,
  yearRange,
  yearsOf,
} from './requests.ts';

/** The kinds that the SQL alternative answers too. */
export function analysisKinds(record: PlainRecord): RequestKind[] {
  const { movies, categories } = record;
  const years = yearsOf(record);
  const category: DrawParameters = (choices) => ({
    category: partOf(choices, choices.pick(categories).category_name),
  });
  const filters: readonly DrawParameters[] = [
    (choices) => ({ winner: true, ...yearRange(choices, years) }),
    (choices) => yearRange(choices, years),
    category,
  ];
  const counts: DrawParameters = (choices) => ({
    by: choices.pick(['year', 'decade', 'category', 'category_group', 'department']),
    ...choices.pick(filters)(choices),
  });
  const embedded: DrawParameters = (choices) => ({
    ...(choices.chance(0.5)
      ? { title: partOf(choices, choices.pick(movies).title) }
      : yearRange(choices, years)),
    include: 'nominations,counts',
    limit: 25,
  });
  return [
    ...sortedLists(record, category),
    { ...list('stats/counts', 'of filtered nominations', counts), goal: 'counts' },
    { ...list('movies', 'with nominations and counts', embedded), goal: 'embedded' },
  ];
}

function sortedLists(record: PlainRecord, category: DrawParameters): RequestKind[] {
  const { movies, nominees, songs } = record;
  const years = yearsOf(record);
  const by = (choices: Choices, keys: readonly string[]) =>
    (choices.chance(0.5) ? '-' : '') + choices.pick(keys);
  return [
    list('nominations', 'sorted', (choices) => ({
      ...(choices.chance(0.5) ? category(choices) : yearRange(choices, years)),
      sort: by(choices, ['year', 'movie', 'nominee']),
      ...paging(choices, 3),
    })),
    list('movies', 'sorted', (choices) => ({
      ...(choices.chance(0.5)
        ? { title: partOf(choices, choices.pick(movies).title) }
        : yearRange(choices, years)),
      sort: by(choices, ['title', 'entries', 'wins']),
    })),
    list('nominees', 'sorted', (choices) => ({
      ...(choices.chance(0.5)
        ? { name: partOf(choices, choices.pick(nominees).name) }
        : yearRange(choices, years)),
      sort: by(choices, ['name', 'entries', 'wins']),
    })),
    list('songs', 'sorted', (choices) => ({
      title: partOf(choices, choices.pick(songs).original_title),
      sort: by(choices, ['title']),
    })),
  ];
}

/** Names of nominees with one wrong letter in the longest word. Most find nothing, so that suggestions are made. */
export function mistypedNames({ nominees }: PlainRecord): RequestKind {
  return {
    name: 'search for mistyped names',
    goal: 'search',
    draw(choices) {
      for (;;) {
        const { name } = choices.pick(nominees);
        const longest = tokens(name).toSorted((a, b) => b.length - a.length)[0] ?? '';
        if (longest.length < 4) continue;
        const place = choices.between(1, longest.length - 1);
        const letter = String.fromCharCode(choices.between(97, 122));
        const wrong = longest.slice(0, place) + letter + longest.slice(place + 1);
        return request('/api/search', { q: tokens(name).join(' ').replace(longest, wrong) });
      }
    },
  };
}

/** Nominations as a file: all, which a download answers, and those without a win, which are computed. */
export const exportKinds: readonly RequestKind[] = (['csv', 'ndjson'] as const).flatMap((format) => {
  const inFormat = `as ${format.toUpperCase()}`;
  return [
    {
      name: `the whole nominations list ${inFormat}`,
      goal: 'list',
      draw: () => request('/api/nominations', { format }),
    },
    {
      name: `the nominations without a win ${inFormat}`,
      goal: 'list',
      draw: () => request('/api/nominations', { format, winner: false }),
    },
  ];
});
