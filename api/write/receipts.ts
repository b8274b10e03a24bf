/** GET of receipts: one with everything, or the list of them, which is the audit log. */
import type { Connection } from '../../data/open.ts';
import { listReceipts, readReceipt } from '../../data/receipts.ts';
import { acceptedByReceipts } from '../contract/accepted.ts';
import type { Query } from '../contract/parameters.ts';
import type { ParameterFault } from '../contract/problems.ts';
import { parseQuery, readTime, withParameter } from '../contract/query-string.ts';
import { receiptPath, receiptsPath } from '../contract/routes.ts';
import { type Answer, faultsAnswer, problemAnswer, uncachedAnswer } from '../read/answer.ts';

export function receiptAnswer(connection: Connection, id: number): Answer {
  const receipt = readReceipt(connection, id);
  return receipt
    ? uncachedAnswer(200, receipt)
    : problemAnswer('no-such-record', `there is no receipt at ${receiptPath(id)}`);
}

export function receiptsAnswer(connection: Connection, queryString: string): Answer {
  const parsed = parseQuery(queryString, acceptedByReceipts);
  const faults = parsed.ok ? faultsOfTimes(parsed.query) : parsed.faults;
  if (!parsed.ok || faults.length > 0) return faultsAnswer(faults);
  const { limit, since, until, before, resource, record_id, key, group } = parsed.query;
  // One more tells whether there is a next page.
  const found = listReceipts(connection, {
    ...{ before, resource, record_id, key, group, limit: limit + 1 },
    since: since && readTime(since)!.first,
    until: until && readTime(until)!.last,
  });
  const data = found.slice(0, limit);
  if (found.length === data.length) return uncachedAnswer(200, { data });
  const next = withParameter(queryString, 'before', data.at(-1)!.id);
  return uncachedAnswer(200, { data }, { Link: `<${receiptsPath}?${next}>; rel="next"` });
}

function faultsOfTimes({ since, until }: Query): ParameterFault[] {
  if (since === undefined || until === undefined || readTime(since)!.first <= readTime(until)!.last)
    return [];
  return [{ parameter: 'since', message: `since ${since} is after until ${until}` }];
}
