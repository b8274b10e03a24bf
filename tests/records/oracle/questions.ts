/** Questions about the nasty record to the oracle, and the comparison of a resolver with the oracle. */
import { expect } from 'vitest';
import type { Target } from '../../../api/contract/target.ts';
import { nodeDigest } from '../../../api/read/node-source.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import { compileInMemory } from '../../../build/snapshot/in-memory.ts';
import { type Connection, openDatabase } from '../../../data/database/open.ts';
import { answerAt } from '../build.ts';
import { seeded } from '../seed.ts';
import { fillWithNastyRecord } from '../nasty-record.ts';
import { type ExpectedAnswer, expectedAnswer, expectedText } from './oracle.ts';
import { loadPlainRecord, type PlainRecord } from '../record.ts';
import { tokens } from './view.ts';

function loadNastyRecord(): PlainRecord {
  const connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  const record = loadPlainRecord(connection);
  connection.close();
  return record;
}

export const nasty = loadNastyRecord();

/** The oracle's answer to an address with a query string. */
export function answer(address: string): ExpectedAnswer {
  const [path = '', ...query] = address.split('?');
  return expectedAnswer(nasty, path, query.join('?'));
}

/** Fails unless the resolver answers with the expected status and bytes. */
export async function expectSameAnswer(
  resolver: Resolver,
  record: PlainRecord,
  request: Target,
): Promise<void> {
  const expected = expectedAnswer(record, request.path, request.queryString);
  const { status, body } = await resolver.answer({ method: 'GET', ...request });
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body ?? undefined);
  expect(status, text.slice(0, 500)).toBe(expected.status);
  if (expected.status === 200) {
    expect(text).toBe(expectedText(expected));
    return;
  }
  const problem = JSON.parse(text) as { status: number; errors?: { parameter: string }[] };
  expect(problem.status).toBe(expected.status);
  expect(problem.errors?.map((fault) => fault.parameter)).toEqual(expected.faultyParameters);
}

/** A record of its own as plain arrays, and resolvers over its snapshot. @param fill fills an empty database */
export async function compiled(fill: (connection: Connection) => unknown) {
  const connection = openDatabase(':memory:');
  await fill(connection);
  const record = loadPlainRecord(connection);
  const { files } = await compileInMemory(connection);
  connection.close();
  const read = async (path: string) => files.get(path);
  // Shows the error itself instead of a 500.
  const onError = (error: unknown) => {
    throw error;
  };
  const newResolver = (shard = read) => new Resolver({ file: read, shard }, { digest: nodeDigest, onError });
  return { record, read, newResolver, resolver: newResolver() };
}

/** The document that a resolver answers with. @param target path and query string */
export async function documentAt(resolver: Resolver, target: string): Promise<Record<string, unknown>> {
  const { body } = await answerAt(resolver, target);
  return JSON.parse(new TextDecoder().decode(body ?? undefined)) as Record<string, unknown>;
}

type Mistake = (word: string, at: number, letter: string) => string;

/** Each changes a word of at least six letters, and not its first letter. */
export const mistakes: Record<string, Mistake> = {
  'a letter too much': (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  'a letter too few': (word, at) => word.slice(0, at) + word.slice(at + 1),
  'a wrong letter': (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  'two letters swapped': (word, at) => word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
  'a word split': (word, at) => `${word.slice(0, at)} ${word.slice(at)}`,
  // With the word before or behind it.
  'two words joined': (word) => word,
};

/** Searches for names with a mistake in their longest word. @returns those that are neither found nor suggested */
export async function notFoundWith(mistake: string, resolver: Resolver, record: PlainRecord, sample: number) {
  const choices = seeded(mistake);
  const missed: string[] = [];
  let asked = 0;
  for (const { name } of choices.picks(record.nominees, sample)) {
    const words = tokens(name);
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
    if (longest.length < 6 || words.length < 2) continue;
    asked += 1;
    const [at, letter] = [
      choices.between(1, longest.length - 2),
      String.fromCharCode(choices.between(97, 122)),
    ];
    const wrong = words.join(' ').replace(longest, mistakes[mistake]!(longest, at, letter));
    const q = mistake === 'two words joined' ? wrong.replace(' ', '') : wrong;
    const answer = await documentAt(resolver, `/api/search?limit=100&q=${encodeURIComponent(q)}`);
    const { data, suggestions = [] } = answer as { data: { nominee: string }[]; suggestions?: string[] };
    if (!suggestions.includes(words.join(' ')) && !data.some((it) => it.nominee === name)) missed.push(q);
  }
  return { asked, missed };
}
