/**
 * Completes the reference, and the summary for assistants, with a snapshot. They are templates with marks:
 * `{{movie_id}}` is the id of a film on record, `{{movie+}}` its title in a query string,
 * `{{answer getMovie}}` what the sample request of an operation is answered with.
 */
import { matchRoute, readAsked } from '../../../api/contract/routes.ts';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { creditOf, licenceOf } from '../../../api/contract/sources.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import { documentAt, isOfSnapshot } from '../../../api/read/addresses.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { escapedHtml } from '../shared/hosting.ts';

/** Id of an operation → the target of its sample request. */
export const sampleTargets: Readonly<Record<string, string>> = {
  getRoot: '/api',
  getNominations: '/api/nominations?movie={{movie+}}&limit=1',
  getNomination: '/api/nominations/{{id}}',
  getCeremonies: '/api/ceremonies?ids={{ceremony_id}}',
  getCeremony: '/api/ceremonies/{{ceremony_id}}',
  getCategories: '/api/categories?ids={{category_id}}',
  getCategory: '/api/categories/{{category_id}}',
  getMovies: '/api/movies?title={{movie+}}&include=counts&limit=1',
  getMovie: '/api/movies/{{movie_id}}',
  getNominees: '/api/nominees?name={{nominee+}}&limit=1',
  getNominee: '/api/nominees/{{nominee_id}}',
  getSongs: '/api/songs?limit=1',
  getSong: '/api/songs/{{song}}',
  getHonors: '/api/honors?limit=1',
  getHonor: '/api/honors/{{honor}}',
  getSearch: '/api/search?q={{movie+}}&limit=1',
  getTopMovies: '/api/stats/top-movies?sort=wins&limit=1',
  getTopNominees: '/api/stats/top-nominees?category_group=acting&limit=1',
  getCounts: '/api/stats/counts?by=decade&winner=true',
};

/** @param template the page as the bundler makes it @returns the page that is true for the snapshot */
export async function completeReference(template: string, snapshot: Snapshot): Promise<string> {
  const marks = await recordMarks(snapshot);
  const fill = (text: string) =>
    text.replaceAll(/\{\{([^{}]+)\}\}/g, (mark, name: string) => marks.get(name) ?? mark);
  for (const [operation, target] of Object.entries(sampleTargets)) {
    const document = (await answerTo(snapshot, fill(target))) ?? 'There is no such record yet.';
    // The id of the snapshot is another one after each write.
    marks.set(`answer ${operation}`, escapedHtml(shortened(document).replaceAll(snapshot.id, '…')));
  }
  return fill(template);
}

/** @param template llms.txt as it ships @returns with a line for each source of the record, in Markdown */
export function completeSummary(template: string, { manifest: { sources } }: Snapshot): string {
  const lines = sources.map((source) => `- ${creditOf(source)}: ${source.gives}`);
  return template.replace('{{sources}}', lines.join('\n') || licenceOf(sources));
}

const unknownNomination = {
  id: 1,
  ceremony_id: 1,
  category_id: 1,
  movie_id: 1,
  nominee_id: 1,
  movie: 'film',
  nominee: 'name',
};

/**
 * The fields of the first nomination that won, else of the first one, and the ids of the first song and
 * honor.
 */
async function recordMarks(snapshot: Snapshot): Promise<Map<string, string>> {
  const first = async (target: string) =>
    ((await answerTo(snapshot, target)) as { data: Readonly<Record<string, unknown>>[] }).data[0];
  const won = await first('/api/nominations?winner=true&limit=1');
  const values = {
    ...(won ?? (await first('/api/nominations?limit=1')) ?? unknownNomination),
    song: (await first('/api/songs?limit=1'))?.id ?? 1,
    honor: (await first('/api/honors?limit=1'))?.id ?? 1,
    notice: snapshot.manifest.sample ? sampleNotice : '',
    sources: licenceOf(snapshot.manifest.sources),
  };
  const marks = Object.entries(values).flatMap(([name, value]): [string, string][] => [
    [name, escapedHtml(String(value))],
    [`${name}+`, String(new URLSearchParams({ '': String(value) })).slice(1)],
  ]);
  return new Map(marks);
}

/** What the resolver answers to GET with a valid query string; undefined if there is no such record. */
async function answerTo(snapshot: Snapshot, target: string): Promise<unknown> {
  const { path, queryString } = splitTarget(target);
  const asked = readAsked(matchRoute(path)!, queryString);
  if (asked === undefined || Array.isArray(asked) || !isOfSnapshot(asked)) return undefined;
  const document = await documentAt(snapshot, asked);
  return document && 'json' in document ? document.json : undefined;
}

/** Characters of a text that are shown. */
const maxLength = 120;

/**
 * A JSON text as people read it: of a list its first item, of a long text its beginning; "…" stands for the
 * rest.
 */
export const shortened = (value: unknown): string =>
  JSON.stringify(
    value,
    (_name, part: unknown) => {
      if (Array.isArray(part) && part.length > 1) return [part[0], '…'];
      if (typeof part !== 'string' || part.length <= maxLength) return part;
      return `${[...part].slice(0, maxLength).join('')}…`;
    },
    2,
  );
