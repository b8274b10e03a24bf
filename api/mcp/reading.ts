/** Reads documents of the API for the tools. */
import { summaryOf } from '../contract/award-summary.ts';
import type { ProblemDocument } from '../contract/problems.ts';
import { splitTarget } from '../contract/target.ts';
import { withQuery } from '../../build/site/explorer/addresses.ts';
import { officialCounter } from '../read/counts.ts';
import type { Resolver } from '../read/resolve.ts';
import { CallFault, type Values } from './arguments.ts';

/** What a tool works with. */
export interface Context {
  record: Pick<Resolver, 'answer' | 'answered'>;
  /** Scheme and host of the site. */
  origin: string;
}

/** A record of the API. */
export type Row = Readonly<{ [member: string]: unknown }>;

/** What a tool has found. */
export interface ToolAnswer {
  lines: readonly string[];
  structured: Readonly<{ [member: string]: unknown }>;
  /** The text, where a protocol asks for one. Default: the lines, then the structured content as JSON. */
  text?: string;
}

export const withValues = (path: string, values: Values): string =>
  withQuery(path, String(new URLSearchParams(values)).replaceAll('%2C', ','));

/** The text at an address of the API. @throws CallFault with the detail of a problem */
async function textAt({ record }: Context, address: string): Promise<string> {
  const { status, body } = await record.answer({ method: 'GET', ...splitTarget(address) });
  const text = new TextDecoder().decode(body ?? undefined);
  if (status !== 200) throw new CallFault((JSON.parse(text) as ProblemDocument).detail);
  return text;
}

/** A document of the API. @throws CallFault */
export const read = async <T = { data: Row[]; pagination?: { total: number; hasNextPage: boolean } }>(
  context: Context,
  path: string,
  query: Values = {},
): Promise<T> => JSON.parse(await textAt(context, withValues(path, query))) as T;

/** All records of a list. @throws CallFault */
export async function readAll(context: Context, path: string, query: Values): Promise<Row[]> {
  const text = (await textAt(context, withValues(path, { ...query, format: 'ndjson' }))).trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row);
}

/** The summary of a film or nominee: what counts is official. */
export const summaryAt = (
  { record }: Context,
  resource: 'movies' | 'nominees',
  id: number,
): Promise<string> =>
  record.answered(async (snapshot) => {
    const table = (await snapshot.table('nominations'))[resource === 'movies' ? 'movie' : 'nominee'];
    return summaryOf((await officialCounter(snapshot))(table.nominationsOf(id)));
  });
