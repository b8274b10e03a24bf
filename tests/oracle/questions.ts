/** Shorthands for questions to the oracle about the nasty record. */
import { expect } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithNastyRecord } from './nasty-record.ts';
import { type ExpectedAnswer, expectedAnswer } from './oracle.ts';
import { loadPlainRecord, type PlainRecord } from './record.ts';

export const huge = Number.MAX_SAFE_INTEGER;

export interface Listing {
  data: Record<string, unknown>[];
  pagination?: unknown;
  count?: number;
  query?: string;
}

function loadNastyRecord(): PlainRecord {
  const connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  const record = loadPlainRecord(connection);
  connection.close();
  return record;
}

export const nasty = loadNastyRecord();

/** The answer to an address with a query string. */
export function answer(address: string): ExpectedAnswer {
  const [path = '', ...query] = address.split('?');
  return expectedAnswer(nasty, path, query.join('?'));
}

/** The document of an answer that must be 200. */
export function document(address: string): Record<string, unknown> {
  const { status, body } = answer(address);
  expect(status, address).toBe(200);
  return body as Record<string, unknown>;
}

export function listing(address: string): Listing {
  return document(address) as unknown as Listing;
}

/** The ids of a list or a ranking. */
export function ids(address: string): unknown[] {
  return listing(address).data.map((row) => row.id ?? row.movie_id ?? row.nominee_id);
}

export function sortedIds(address: string): unknown[] {
  return (ids(address) as number[]).toSorted((left, right) => left - right);
}
