/** Documents that stand for no record: what a host answers where there is nothing. */
import { problemDocument } from '../../api/contract/problems.ts';

/** Path → text; the same in every snapshot of this format. */
export const documents: ReadonlyMap<string, string> = new Map([
  ['404.json', `${JSON.stringify(problemDocument('unknown-address', 'there is nothing at this address'))}\n`],
]);

/** The page group of the documents. */
export const documentGroup = 'documents';
