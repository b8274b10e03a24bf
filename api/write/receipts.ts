/** The answers to GET of receipts. */
import type { Connection } from '../../data/database/open.ts';
import { listReceipts, readReceipt } from '../../data/record/receipts.ts';
import { parseQuery, readTime, withParameter } from '../contract/query-string.ts';
import { receiptsPath, routeAt } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import { type Answer, faultsAnswer, problemAnswer, uncachedAnswer } from '../read/answer.ts';

/**
 * One receipt with everything, or a page of the list of them, which is the audit log.
 * @param id of one receipt; undefined for the list @param address path and query
 * @param editor name of the key of the request
 */
export function receiptsAnswer(
  connection: Connection,
  id: string | undefined,
  address: string,
  editor: string,
): Answer {
  const { path, queryString } = splitTarget(address);
  const receipt = id === undefined ? undefined : readReceipt(connection, Number(id));
  if (receipt) return uncachedAnswer(200, receipt);
  if (id !== undefined) return problemAnswer('no-such-record', `there is no receipt at ${path}`);
  const parsed = parseQuery(queryString, routeAt(receiptsPath));
  if (!parsed.ok) return faultsAnswer(parsed.faults);
  const { limit, before, resource, record_id, key, group, ...times } = parsed.query;
  const since = times.since && readTime(times.since)!.first;
  const until = times.until && readTime(times.until)!.last;
  if (since && until && since > until)
    return faultsAnswer([
      { parameter: 'since', message: `since ${times.since} is after until ${times.until}` },
    ]);
  // Reads one receipt more than it shows, to know whether there is a next page.
  const filter = { before, resource, record_id, key, group, since, until, limit: limit + 1 };
  const found = listReceipts(connection, filter);
  const data = found.slice(0, limit);
  if (found.length === data.length) return uncachedAnswer(200, { data, editor });
  const next = withParameter(queryString, 'before', data.at(-1)!.id);
  return uncachedAnswer(200, { data, editor }, { Link: `<${receiptsPath}?${next}>; rel="next"` });
}
