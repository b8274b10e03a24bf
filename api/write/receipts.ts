/** GET of receipts: one with everything, or the list of them, which is the audit log. */
import type { Receipt } from '../../data/receipts.ts';
import { receiptsPerPage } from '../contract/limits.ts';
import { matchReceipt } from '../contract/routes.ts';
import { type Answer, commonHeaders, problemAnswer } from '../read/answer.ts';

/** Where receipts come from. */
export interface ReceiptSource {
  read(id: number): Receipt | undefined;
  /** Newest first, those with ids below `before` where it is given. */
  list(choice: { before?: number | undefined; limit: number }): Omit<Receipt, 'files'>[];
}

/** @param url path and query string; the list takes `before`, the id of the last receipt that was seen */
export function receiptsAnswer(source: ReceiptSource, url: string): Answer {
  const [path = '', queryString = ''] = url.split('?', 2);
  const match = matchReceipt(path);
  if (match?.id !== undefined) {
    const receipt = source.read(match.id);
    return receipt ? jsonAnswer(receipt) : problemAnswer('no-such-record', `there is no receipt at ${path}`);
  }
  const before = new URLSearchParams(queryString).get('before');
  if (before !== null && !/^[1-9][0-9]{0,15}$/.test(before)) {
    const message = 'before must be the id of a receipt';
    return problemAnswer('invalid-parameters', message, {}, [{ parameter: 'before', message }]);
  }
  return jsonAnswer({
    data: source.list({ before: before === null ? undefined : Number(before), limit: receiptsPerPage }),
  });
}

function jsonAnswer(document: object): Answer {
  const body = new TextEncoder().encode(`${JSON.stringify(document)}\n`);
  const headers = { ...commonHeaders, 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
  return { status: 200, headers, body };
}
