/**
 * The promise: any call to the file system or to SQLite may fail, once or for a while. A write is then refused and not made, or
 * made and acknowledged, perhaps as pending. Once the calls succeed again the snapshot comes right by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../api/contract/bodies.ts';
import type { Answer } from '../../api/read/answer.ts';
import type { WriteOutcome, Written } from '../../api/write/requests.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { UserError } from '../../build/system/messages.ts';
import { runs } from '../support/settings.ts';
import { openFolder } from '../snapshot/questions.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { Fixture, faultsAtRest, faultsBetween } from './fixture.ts';
import { faultsOfAcknowledged } from './history-replay.ts';
import { databaseErrors, failCalls, fileErrors, type TransientError } from './intercepted-calls.ts';
import { type Workspace, withDatabase } from './workspace.ts';
import { WriterHarness } from './writer-harness.ts';
import { type Acknowledgement, type Order, sendAll, writesOf } from './writes.ts';
import { traceCalls } from './writing-process.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'));
const calls = (await traceCalls(fixture.copyTo(at('trace')))).length;

/** The problems that may answer a write that is not made. */
const refusals = [
  'writing-unavailable',
  'storage-full',
  'invalid-record',
  'precondition-failed',
  'no-such-record',
  'still-referenced',
];

/** Tries until it opens: a service that cannot open it ends, and is started again. */
function openEventually({ db, out }: Workspace): WriterHarness {
  for (;;) {
    try {
      return new WriterHarness(db, out);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
    }
  }
}

/** A GET may meet failing calls too and answer 503. Each attempt uses up one of them. */
async function getEventually(out: string, path: string): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await openFolder(out).answer({ method: 'GET', path, queryString: '' });
    if (answer.status !== 503 || attempts > calls) return answer;
  }
}

/** Fields of a shown write that a GET does not answer. */
async function faultsOfShown(
  out: string,
  body: JsonValue | undefined,
  { path }: Written['data'][number],
): Promise<string[]> {
  const answer = await getEventually(out, path);
  if (body === undefined)
    return answer.status === 404 ? [] : [`${path} is deleted and answers ${answer.status}`];
  const page =
    answer.status === 200
      ? (JSON.parse(new TextDecoder().decode(answer.body!)) as Record<string, unknown>)
      : {};
  return (
    Object.entries(body as object)
      // A nomination's page shows the records themselves.
      .filter(([field]) => !(path.startsWith('/api/nominations/') && field.endsWith('_id')))
      .filter(([field, value]) => JSON.stringify(page[field]) !== JSON.stringify(value))
      .map(([field, value]) => `${path} does not show ${field} ${JSON.stringify(value)}`)
  );
}

/** Faults of a run in which calls fail, a line each. */
async function faultsWith(error: TransientError): Promise<string[]> {
  const workspace = fixture.copyTo(at('case'));
  const replay = await fixture.replay();
  const interception = failCalls(workspace.folder, error);
  const faults: string[] = [];
  const acknowledged: Acknowledgement[] = [];
  const onOutcome = async (order: Order, outcome: WriteOutcome) => {
    if ('problem' in outcome) {
      if (!refusals.includes(outcome.problem)) faults.push(`refused as ${outcome.problem}`);
      return;
    }
    acknowledged.push({ order, done: outcome });
    for (const { body, done } of writesOf({ order, done: outcome }))
      if (outcome.snapshot) faults.push(...(await faultsOfShown(workspace.out, body, done)));
  };
  let harness: WriterHarness | undefined;
  try {
    harness = openEventually(workspace);
    await sendAll(harness.write, onOutcome);
  } catch (thrown) {
    faults.push(`a write threw: ${(thrown as Error).stack}`);
  } finally {
    interception.end();
  }
  faults.push(...faultsBetween(workspace.out));
  if (!(await settlesSoon(harness))) faults.push(`never built: ${String(harness?.errors.at(-1))}`);
  await harness?.close();
  await withDatabase(workspace, async (connection) => {
    faults.push(...replay.follow(connection), ...faultsOfAcknowledged(connection, acknowledged));
    // A part of a shard, whose removal failed too, stays until the next service starts.
    const isOfUnnamedShard = (fault: string) =>
      /^unexpected shards\/|^shards\/.* is named by nothing$/.test(fault);
    const atRest = await faultsAtRest(connection, workspace.out);
    faults.push(...atRest.filter((fault) => !isOfUnnamedShard(fault)));
    await new SnapshotBuilder(connection, workspace.out, { retentionMs: 0 }).build();
    faults.push(...(await faultsAtRest(connection, workspace.out)));
  });
  return faults;
}

/** A transaction that could not be rolled back is rolled back soon, and its build is tried again. */
async function settlesSoon(harness: WriterHarness | undefined): Promise<boolean> {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    if (await harness?.settled()) return true;
    await pause(200);
  }
  return false;
}

/** Fails with "hangs" instead of the time limit of the test, which would hide the case. */
async function expectNoFaults(error: TransientError): Promise<void> {
  const hangs = pause(20_000, ['hangs'], { ref: false });
  expect({ error, faults: await Promise.race([faultsWith(error), hangs]) }).toEqual({ error, faults: [] });
}

const anyError = (length: fc.Arbitrary<number>) =>
  fc.record<TransientError>({
    from: fc.integer({ min: 1, max: calls }),
    calls: length,
    file: fc.constantFrom(...fileErrors),
    database: fc.constantFrom(...databaseErrors),
    undone: fc.boolean(),
  });

test.each<[string, fc.Arbitrary<number>, number]>([
  ['one call', fc.constant(1), 12],
  ['a few calls in a row', fc.integer({ min: 2, max: 12 }), 10],
  ['all calls for a while', fc.integer({ min: 13, max: calls }), 8],
])(
  'where %s fails, nothing acknowledged is lost, and the snapshot comes right',
  async (_, length, times) => {
    await fc.assert(fc.asyncProperty(anyError(length), expectNoFaults), {
      numRuns: runs(times),
      endOnFailure: true,
    });
  },
  3_600_000,
);
