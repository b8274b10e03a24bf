/**
 * Files of a snapshot that stand for no record and do not depend on any: what a host answers where there is nothing, and
 * whatever else the program brings along.
 */
import { problemDocument } from '../../api/contract/problems.ts';

export interface Documents {
  /** A text that is another one whenever the files may be others. */
  readonly fingerprint: string;
  /** Path below the root → bytes. */
  make(): Promise<ReadonlyMap<string, Uint8Array>>;
}

const notFound = `${JSON.stringify(problemDocument('unknown-address', 'there is nothing at this address'))}\n`;

/** What every snapshot has. */
export const bareDocuments: Documents = {
  // Made by code that the builder's own fingerprint covers.
  fingerprint: '',
  make: async () => new Map([['404.json', new TextEncoder().encode(notFound)]]),
};
