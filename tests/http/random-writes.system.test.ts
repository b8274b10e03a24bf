/** Random writes: the service never fails, every refusal is a problem document, and every accepted write is shown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { rateLimit } from '../../api/write/rate-limit.ts';
import { exchange, expectProblem, expectSoundReplies } from './raw-connection.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { type AnyWrite, anyBatch, anyWrite, damaged } from './random-writes.ts';
import { expectAlive, lastRead, rawWrite } from './raw-writes.ts';
import { documentOf, expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService({
  timeouts: { headers: 150, request: 200 },
  // Some random requests have a wrong key. With the limit of the service, ten of them would refuse all that follow.
  adapt: (writing) => ({ ...writing, failures: rateLimit(1_000_000)! }),
});

const withKey = (value: string) => (value === '%' ? running.service.key : value);
const headersOf = ({ headers }: AnyWrite) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withKey) : withKey(value),
    ]),
  );

async function expectAccepted({ method, target }: AnyWrite, reply: Reply): Promise<void> {
  const [path = ''] = target.split('?', 1);
  const { id, details } = documentOf(reply);
  const page = method === 'POST' ? reply.headers.location! : path;
  expect(page).toBe(method === 'POST' ? `${path}/${String(id)}` : path);
  expect(reply.status).toBe(method === 'POST' ? 201 : 200);
  expect(reply.headers.snapshot).toBe(running.service.snapshot());
  const list = page.slice(0, page.lastIndexOf('/'));
  await expectShown(running.service, page, list);
  if (method === 'DELETE') return;
  // The answer has the details if the body had some, and the ETag of the page with them.
  const include = details ? 'include=details' : '';
  expect((await running.service.ask(`${page}?${include}`)).headers.etag).toBe(reply.headers.etag);
  const { data } = await running.service.read<{ data: unknown[] }>(`${list}?ids=${String(id)}&${include}`);
  expect(reply.body.toString()).toBe(`${JSON.stringify(data[0])}\n`);
}

describe('any write', () => {
  it('is either refused with nothing changed, or carried out and shown', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyWrite, async (write) => {
        const receipts = running.service.receipts();
        const { method, target, body } = write;
        const reply = await running.service.ask(target, { method, headers: headersOf(write), body });
        expect(reply.status, reply.body.toString()).toBeLessThan(500);
        if (reply.status >= 400) {
          if (method !== 'HEAD') expectProblem(reply.body, reply.status);
          expect(reply.headers['cache-control']).toBe('no-store');
          expect(running.service.receipts()).toBe(receipts);
        } else if (method === 'POST' || method === 'PATCH' || method === 'DELETE') {
          accepted += 1;
          await expectAccepted(write, reply);
        }
      }),
      { numRuns: Math.max(50, runs(60)) },
    );
    // A fourth is accepted: none of 50 happens once in a million runs.
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('any batch', () => {
  interface Outcome {
    status: number;
    path: string;
    etag: string | null;
    receipt: number | null;
  }

  it('is either refused with nothing changed, or carried out as a whole and shown', async () => {
    const { service } = running;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyBatch, async (batch) => {
        const receipts = service.receipts();
        const reply = await service.write('POST', '/api/batch', batch as unknown as JsonValue);
        expect(reply.status, reply.body.toString()).toBeLessThan(500);
        if (reply.status >= 400) {
          expectProblem(reply.body, reply.status);
          const { errors } = documentOf(reply) as { errors: { pointer: string }[] };
          for (const { pointer } of errors) expect(Number(pointer.split('/')[1])).toBeLessThan(batch.length);
          expect(service.receipts()).toBe(receipts);
          return;
        }
        accepted += 1;
        const { data } = documentOf(reply) as unknown as { data: Outcome[] };
        expect(data.map(({ status }) => status)).toEqual(
          batch.map(({ method }) => (method === 'POST' ? 201 : 200)),
        );
        expect(service.receipts()).toBe(receipts + data.filter(({ receipt }) => receipt !== null).length);
        expect(reply.headers.snapshot).toBe(service.snapshot());
        await expectShown(service, ...data.map(({ path }) => path));
        for (const { path, etag } of data)
          if (etag !== null) {
            const { headers } = await service.ask(path);
            const withDetails = await service.ask(`${path}?include=details`);
            expect([headers.etag, withDetails.headers.etag]).toContain(etag);
          }
      }),
      { numRuns: Math.max(50, runs(24)) },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('any bytes', () => {
  it('are answered in HTTP, with problem documents for refusals, and never with 5xx', async () => {
    const wellFormed = anyWrite
      .filter(({ body, method }) => body.length < 1000 && method !== 'HEAD')
      .map((write) => {
        const { 'x-api-key': _, ...lines } = headersOf(write);
        return rawWrite(running.service.key, {
          start: `${write.method} ${write.target}`,
          lines,
          body: write.body,
        });
      });
    const several = fc.array(damaged(wellFormed), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(several, async (all) => {
        const answers = await Promise.all(
          all.map((bytes) =>
            exchange(running.service.port, Buffer.concat([bytes, Buffer.from('\r\n\r\n'), lastRead])),
          ),
        );
        answers.forEach(expectSoundReplies);
      }),
      { numRuns: runs(8) },
    );
    await expectAlive(running.service, true);
  });
});
