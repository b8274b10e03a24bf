/** GET of receipts: one with everything, or the list of them, which is the audit log. */
import type { Connection } from '../../data/open.ts';
import { listReceipts, type ReceiptFilter, readReceipt } from '../../data/receipts.ts';
import type { Query } from '../contract/parameters.ts';
import { parseQuery, readTime, withParameter } from '../contract/query-string.ts';
import { type ParameterFault, summaryOf } from '../contract/problems.ts';
import { acceptedByReceipts } from '../contract/accepted.ts';
import { matchReceipt, receiptsPath } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, problemAnswer, uncachedAnswer } from '../read/answer.ts';

/** @param url path and query string */
export function receiptsAnswer(connection: Connection, url: string): Answer {
  const { path, queryString } = splitTarget(url);
  const match = matchReceipt(path);
  if (match?.id !== undefined) {
    const receipt = readReceipt(connection, match.id);
    return receipt
      ? uncachedAnswer(200, receipt)
      : problemAnswer('no-such-record', `there is no receipt at ${path}`);
  }
  const parsed = parseQuery(queryString, acceptedByReceipts);
  const faults = parsed.ok ? faultsOfTimes(parsed.query) : parsed.faults;
  if (!parsed.ok || faults.length > 0)
    return problemAnswer('invalid-parameters', summaryOf(faults), {}, faults);
  return listAnswer(connection, parsed.query, queryString);
}

function faultsOfTimes({ since, until }: Query): ParameterFault[] {
  if (since === undefined || until === undefined || readTime(since)!.first <= readTime(until)!.last)
    return [];
  return [{ parameter: 'since', message: `since ${since} is after until ${until}` }];
}

function listAnswer(connection: Connection, query: Query, queryString: string): Answer {
  const { limit, since, until, before, resource, record_id, key, group } = query;
  const filter: ReceiptFilter = {
    ...{ before, resource, record_id, key, group },
    since: since && readTime(since)!.first,
    until: until && readTime(until)!.last,
  };
  // One more tells whether there is a next page.
  const found = listReceipts(connection, { ...filter, limit: limit + 1 });
  const data = found.slice(0, limit);
  if (found.length === data.length) return uncachedAnswer(200, { data });
  const next = withParameter(queryString, 'before', data.at(-1)!.id);
  return uncachedAnswer(200, { data }, { Link: `<${receiptsPath}?${next}>; rel="next"` });
}
