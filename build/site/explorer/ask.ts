/** Asks the API as the views do: for documents of one snapshot, with the refusals that a page shows. */
import type { Accepted, Query } from '../../../api/contract/addresses.ts';
import type { CountsList } from '../../../api/contract/answers.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { parseQuery } from '../../../api/contract/query-string.ts';
import { countsPath, matchRoute, readAsked, routeAt } from '../../../api/contract/routes.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import { type AskedOfSnapshot, documentAt, isOfSnapshot } from '../../../api/read/addresses.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';

/** The API refuses a question: there is no such record (404), or parameters are wrong (400). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 404;
  readonly faults: readonly ParameterFault[];

  constructor(status: 400 | 404, faults: readonly ParameterFault[] = []) {
    super(status === 404 ? 'there is no such record' : 'the parameters are wrong');
    this.status = status;
    this.faults = faults;
  }
}

/** The client has no search left for now. */
export class SearchRefused extends Error {}

/**
 * The document of the API at an address such as `/api/movies?genre=Drama`.
 * @throws Refusal
 * @throws SnapshotUnavailable
 */
export const ask = async <T>(snapshot: Snapshot, address: string): Promise<T> =>
  answerTo<T>(snapshot, askedAt(address));

/** What an address asks of the API. @throws Refusal */
export function askedAt(address: string): AskedOfSnapshot {
  const { path, queryString } = splitTarget(address);
  const match = matchRoute(path);
  const asked = match && readAsked(match, queryString);
  if (Array.isArray(asked)) throw new Refusal(400, asked);
  if (asked === undefined || !isOfSnapshot(asked)) throw new Refusal(404);
  return asked;
}

/** The document that is asked for. @throws Refusal @throws SnapshotUnavailable */
export async function answerTo<T>(snapshot: Snapshot, asked: AskedOfSnapshot): Promise<T> {
  const document = await documentAt(snapshot, asked);
  if (document === undefined || !('json' in document)) throw new Refusal(404);
  return document.json as T;
}

/**
 * What a list says of the nominations that the filters of a query select: official ones, and the others.
 * @param query also with parameters that are no filters
 * @throws Refusal
 */
export async function tallyAt(snapshot: Snapshot, query: URLSearchParams) {
  const taken: readonly string[] = routeAt(countsPath).parameters;
  const filters = [...query].filter(([name]) => taken.includes(name));
  const sums = async (extra: Record<string, string>) => {
    const parameters = new URLSearchParams([...filters, ['by', 'year'], ...Object.entries(extra)]);
    const { data } = await ask<CountsList>(snapshot, `${countsPath}?${parameters}`);
    const sum = (name: 'entries' | 'wins') => data.reduce((total, year) => total + year[name], 0);
    return { entries: sum('entries'), wins: sum('wins') };
  };
  const all = await sums({});
  const asked = query.get('official');
  const official = asked === null ? await sums({ official: 'true' }) : all;
  const { entries, wins } = asked === 'false' ? { entries: 0, wins: 0 } : official;
  return {
    nominations: entries,
    wins,
    unofficial: all.entries - entries,
    unofficial_wins: all.wins - wins,
  };
}

/** A query string as the API takes it at an address. @throws Refusal */
export function queryIn(text: string, accepted: Accepted): Query {
  const parsed = parseQuery(text, accepted);
  if (!parsed.ok) throw new Refusal(400, parsed.faults);
  return parsed.query;
}

/** What `ask` gives; the faults if the filters of the address are wrong. */
export async function orFaults<T>(answer: Promise<T>): Promise<T | readonly ParameterFault[]> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.faults;
    throw error;
  }
}
export const areFaults = <T>(answer: T | readonly ParameterFault[]): answer is readonly ParameterFault[] =>
  Array.isArray(answer);
