/** The record on a server: the resolver of the service, which the API uses too. */
import type { Resolver } from '../../../api/read/resolve.ts';
import { readDocument } from '../shared/api.ts';
import type { Reading } from './record.ts';

/** @param file reads a file of the folder, by its path below the root */
export function serverReading(resolver: Resolver, file: Reading['file']): Reading {
  const snapshot = () => resolver.snapshot();
  return {
    ask: (address) => readDocument(resolver, address),
    pages: snapshot,
    tables: snapshot,
    columns: snapshot,
    file,
  };
}
