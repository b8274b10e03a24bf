/** The record on a server: the resolver of the service, which the API uses too. */
import type { Resolver } from '../../../api/read/resolve.ts';
import { readDocument } from '../shared/api.ts';
import type { Reading } from './record.ts';
import { readingOf } from './snapshot-reading.ts';

/** @param file reads a file of the folder, by its path below the root */
export function serverReading(resolver: Resolver, file: Reading['file']): Reading {
  const snapshot = () => resolver.snapshot();
  const ask: Reading['ask'] = (address) => readDocument(resolver, address);
  return readingOf({ ask, file, pages: snapshot, tables: snapshot, columns: snapshot });
}
