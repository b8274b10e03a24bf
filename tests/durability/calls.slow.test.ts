/**
 * The promise: the process that takes writes may be killed at any call it makes to the file system or to SQLite, and any of
 * these calls may fail. Acknowledged writes are in the record with their receipts, any other is there as a whole or not at all,
 * readers find whole files only, and the snapshot comes right: by itself after failures, with the next start after a kill.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { WriteOutcome } from '../../api/write/requests.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { UserError } from '../../data/system/messages.ts';
import { compiledScript } from '../support/compiled.ts';
import { addressOf, outcomeOf } from '../support/processes.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import {
  Client,
  faultsAtRest,
  faultsBetween,
  Fixture,
  withDatabase,
  type Workspace,
} from '../support/workspace.ts';
import { faultsOfAcknowledged } from '../support/history-replay.ts';
import { failCalls, interceptCalls, type TransientError } from '../support/intercepted-calls.ts';
import type { Manner } from './write-script.ts';
import {
  type Acknowledgement,
  changesUndisturbed,
  isChange,
  type Order,
  sendAll,
  WriterHarness,
} from '../support/writes.ts';

const timeout = 3_600_000;
const at = useWorkspace();
const fixture = await Fixture.prepare(at('original'));
const script = await compiledScript('tests/durability/write-script.ts', at('.'));
/** The name of each call of an undisturbed run, in order. */
const calls = await traceCalls(fixture.copyTo(at('trace')));

async function traceCalls({ folder, db, out }: Workspace): Promise<string[]> {
  const names: string[] = [];
  const { end } = interceptCalls(folder, ({ name }, proceed) => {
    names.push(name);
    return proceed();
  });
  const harness = new WriterHarness(db, out);
  await sendAll(harness.write, () => {});
  await harness.close();
  end();
  expect(harness.errors).toEqual([]);
  return names;
}

/** Runs the script. @returns the acknowledgements that it printed, and how it ended */
async function runWrites(program: string, ...words: string[]) {
  const { stdout, ...end } = await outcomeOf(spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const lines = stdout.split('\n').filter(Boolean);
  return { ...end, acknowledged: lines.map((line) => JSON.parse(line) as Acknowledgement) };
}

/** Kills the process at a call, and starts again over what it leaves. @returns faults, a line each */
async function faultsOfKill(call: number, manner: Manner, folder: string): Promise<string[]> {
  const workspace = fixture.copyTo(folder);
  const replay = await fixture.replay();
  const end = await runWrites(process.execPath, script, folder, String(call), manner);
  const { signal, code, stderr, acknowledged } = end;
  // Writes sent together may share a build or not, so a run may end before the call at which it should be killed.
  const isComplete = code === 0 && acknowledged.filter(isChange).length === changesUndisturbed;
  const faults = faultsBetween(workspace.out);
  if (stderr !== '' || (signal !== 'SIGKILL' && !isComplete)) faults.push(`${signal ?? code}: ${stderr}`);
  const next = new WriterHarness(workspace.db, workspace.out);
  if (!(await next.settled())) faults.push(`the next start cannot build: ${String(next.errors[0])}`);
  await next.close();
  await withDatabase(workspace, async (connection) => {
    faults.push(...replay.follow(connection), ...faultsOfAcknowledged(connection, acknowledged));
    faults.push(...(await faultsAtRest(connection, workspace.out)));
  });
  return faults;
}

test('a process that is killed at a call of any kind loses no acknowledged write', { timeout }, async () => {
  const kinds = [...new Set(calls)];
  expect(kinds.length).toBeGreaterThan(6);
  const choices = seeded('killed');
  const numbersOf = (kind: string) => [...calls.keys()].flatMap((i) => (calls[i] === kind ? [i + 1] : []));
  const cases = kinds.flatMap((kind) => {
    const manners = ['before', 'after', ...(kind === 'writeFileSync' ? ['halfway'] : [])] as Manner[];
    return choices.picks(numbersOf(kind), runs(1)).map((call) => ({ call, manner: choices.pick(manners) }));
  });
  cases.push({ call: choices.pick(numbersOf('writeFileSync')), manner: 'halfway' });
  // Two at a time, because each waits for its process to start.
  const lane = async (folder: string) => {
    for (let next = cases.pop(); next !== undefined; next = cases.pop())
      expect({ ...next, faults: await faultsOfKill(next.call, next.manner, folder) }).toEqual({
        ...next,
        faults: [],
      });
  };
  await Promise.all([lane(at('lane 1')), lane(at('lane 2'))]);
});

/** Makes the tracer a child of the traced process, which can be stopped as without it. */
const trace = ['-D', '--follow-forks', '--decode-fds', '--trace', 'fsync,fdatasync,write,writev', '--output'];
const canTrace = spawnSync('strace', [...trace, '/dev/null', 'true']).status === 0;

test.skipIf(!canTrace)(
  'a write is synced to the disk before it is acknowledged: a power cut loses none',
  async () => {
    const { db, out } = fixture.copyTo(at('synced'));
    const words = [inject('cli'), 'serve', '--db', db, '--out', out, '--port', '0', '--no-downloads'];
    const file = at('trace.txt');
    const service = spawn('strace', [...trace, file, process.execPath, ...words]);
    const client = new Client(await addressOf(service));
    for (let i = 0; i < 8; i += 1)
      expect((await client.write('/api/movies/1', { title: `Synced ${i}` })).status).toBe(200);
    service.kill();
    await once(service, 'close');
    let [answers, syncs] = [0, 0];
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (/sync\(\d+<[^>]+\/awards\.db-wal>/.test(line)) syncs += 1;
      if (!/HTTP\/1\.1 200/.test(line)) continue;
      answers += 1;
      expect(syncs, line).toBeGreaterThanOrEqual(answers);
    }
    expect(answers).toBe(8);
  },
);

/** The problems that may answer a write that is not made. */
const refusals = [
  ...['writing-unavailable', 'storage-full', 'invalid-record'],
  ...['precondition-failed', 'no-such-record', 'still-referenced'],
];

const failures = ['FULL', 'IOERR_WRITE', 'IOERR_FSYNC', 'BUSY', 'READONLY'];

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

/** Faults of a run in which calls fail, a line each. */
async function faultsWith(error: TransientError): Promise<string[]> {
  const workspace = fixture.copyTo(at('case'));
  const replay = await fixture.replay();
  const faults: string[] = [];
  const acknowledged: Acknowledgement[] = [];
  const onOutcome = (order: Order, done: WriteOutcome) => {
    if ('problem' in done) {
      if (!refusals.includes(done.problem)) faults.push(`refused as ${done.problem}`);
      return;
    }
    acknowledged.push({ order, done });
  };
  const interception = failCalls(workspace.folder, error);
  const harness = openEventually(workspace);
  await sendAll(harness.write, onOutcome).finally(interception.end);
  faults.push(...faultsBetween(workspace.out));
  // A transaction that could not be rolled back is rolled back soon, and its build is tried again.
  for (let attempts = 0; !(await harness.settled()); attempts += 1) {
    if (attempts === 5) return [...faults, `never built: ${String(harness.errors.at(-1))}`];
    await pause(200);
  }
  await harness.close();
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

test.each<[string, fc.Arbitrary<number>, number]>([
  ['one call fails', fc.constant(1), 8],
  ['a few calls in a row fail', fc.integer({ min: 2, max: 12 }), 8],
  ['all calls fail for a while', fc.integer({ min: 13, max: calls.length }), 6],
])(
  'where %s, a write is refused or made, none acknowledged is lost, and the snapshot comes right',
  async (_, length, times) => {
    const anyError = fc.record<TransientError>({
      from: fc.integer({ min: 1, max: calls.length }),
      calls: length,
      file: fc.constantFrom('ENOSPC', 'EIO', 'EACCES', 'EROFS'),
      database: fc.constantFrom(...failures.map((failure) => `SQLITE_${failure}` as const)),
      undone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyError, async (error) => {
        // The time limit of the test would hide the case.
        const hangs = pause(20_000, ['hangs'], { ref: false });
        expect(await Promise.race([faultsWith(error), hangs])).toEqual([]);
      }),
      { numRuns: runs(times), endOnFailure: true },
    );
  },
  timeout,
);
