/**
 * The promise: any call to the file system or to SQLite may fail, once or for a while. Then a write is refused and not made,
 * or it is made and acknowledged, if need be with word that the snapshot does not show it yet; and once the trouble is over
 * the snapshot comes right by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../api/read/answer.ts';
import type { WriteOrder, WriteOutcome } from '../../api/write/writer.ts';
import { UserError } from '../../data/user-error.ts';
import { exhaustive, runs } from '../settings.ts';
import { openFolder } from '../snapshot/questions.ts';
import { Desk } from './desk.ts';
import { databaseTroubles, fileTroubles, makeTrouble, type TransientError } from './failing-calls.ts';
import { type Place, withDatabase } from './place.ts';
import { faultsOfAcknowledged } from './retelling.ts';
import { faultsAtRest, faultsBetween, Stage } from './stage.ts';
import { traceCalls } from './trace.ts';
import { useMemoryFolder } from './workspace.ts';
import { type Acknowledgement, sendAll } from './writes.ts';

const at = useMemoryFolder();
let stage: Stage;
let calls: number;
beforeAll(async () => {
  stage = await Stage.prepare(at('original'));
  calls = (await traceCalls(stage.copyTo(at('trace')))).length;
});

/** What clients may be told when a write is not made. */
const refusals = [
  'writing-unavailable',
  'storage-full',
  'invalid-record',
  'precondition-failed',
  'no-such-record',
];

/** Opens until it can be opened, as the service starts its writing thread anew for every write. */
function openInTheEnd({ db, out }: Place): Desk {
  for (;;) {
    try {
      return new Desk(db, out);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
    }
  }
}

/** A GET may meet the trouble, too: it is told to come again, and each time the trouble is one call nearer to its end. */
async function answerInTheEnd(out: string, path: string): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await openFolder(out).answer({ method: 'GET', path, queryString: '' });
    if (answer.status !== 503 || attempts > calls) return answer;
  }
}

/** What GET does not answer of a write that is said to be shown. */
async function faultsOfShown({ out }: Place, { order, done }: Acknowledgement): Promise<string[]> {
  const path = `/api/${order.resource}/${done.id}`;
  const { status, body } = await answerInTheEnd(out, path);
  const page = status === 200 ? (JSON.parse(new TextDecoder().decode(body!)) as Record<string, unknown>) : {};
  return (
    Object.entries(order.body as object)
      // A nomination's page shows the records themselves.
      .filter(([field]) => !(order.resource === 'nominations' && field.endsWith('_id')))
      .filter(([field, value]) => JSON.stringify(page[field]) !== JSON.stringify(value))
      .map(([field, value]) => `${path} does not show ${field} ${JSON.stringify(value)}`)
  );
}

/** What goes wrong where calls fail, a line each. */
async function faultsWith(trouble: TransientError): Promise<string[]> {
  const place = stage.copyTo(at('case'));
  const retelling = await stage.retelling();
  const interception = makeTrouble(place.folder, trouble);
  const faults: string[] = [];
  const acknowledged: Acknowledgement[] = [];
  const hear = async (order: WriteOrder, outcome: WriteOutcome) => {
    if ('problem' in outcome) {
      if (!refusals.includes(outcome.problem)) faults.push(`refused as ${outcome.problem}`);
      return;
    }
    acknowledged.push({ order, done: outcome });
    if (outcome.shown) faults.push(...(await faultsOfShown(place, { order, done: outcome })));
  };
  let desk: Desk | undefined;
  try {
    desk = openInTheEnd(place);
    await sendAll(desk.write, hear);
  } catch (error) {
    faults.push(`a write failed altogether: ${(error as Error).stack}`);
  } finally {
    interception.end();
  }
  faults.push(...faultsBetween(place.out));
  if (!(await settledSoon(desk))) faults.push(`not built when all is well: ${String(desk?.troubles.at(-1))}`);
  await desk?.close();
  await withDatabase(place, async (connection) => {
    faults.push(...retelling.follow(connection), ...faultsOfAcknowledged(connection, acknowledged));
    faults.push(...(await faultsAtRest(connection, place.out)));
  });
  return faults;
}

/** A transaction that could not even be undone is undone before long, and a build that met it comes again by itself. */
async function settledSoon(desk: Desk | undefined): Promise<boolean> {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    if (await desk?.settled()) return true;
    await pause(200);
  }
  return false;
}

const inTime = (work: Promise<string[]>): Promise<string[]> =>
  Promise.race([work, pause(20_000, ['it hangs'], { ref: false })]);

const anyTrouble = (length: fc.Arbitrary<number>) =>
  fc.integer({ min: 1, max: calls }).chain((from) =>
    fc.record<TransientError>({
      from: fc.constant(from),
      calls: length,
      file: fc.constantFrom(...fileTroubles),
      database: fc.constantFrom(...databaseTroubles),
      undone: fc.boolean(),
    }),
  );

test.each<[string, () => fc.Arbitrary<number>, number]>([
  ['one call', () => fc.constant(1), 12],
  ['a few calls in a row', () => fc.integer({ min: 2, max: 12 }), 10],
  ['all calls for a while', () => fc.integer({ min: 13, max: calls }), 8],
])(
  'where %s fails, nothing acknowledged is lost, and the snapshot comes right',
  async (_, length, times) => {
    await fc.assert(
      fc.asyncProperty(anyTrouble(length()), async (trouble) => {
        expect({ trouble, faults: await inTime(faultsWith(trouble)) }).toEqual({ trouble, faults: [] });
      }),
      { numRuns: runs(times), endOnFailure: true },
    );
  },
  3_600_000,
);

test.runIf(exhaustive)(
  'every single call may fail',
  async () => {
    for (let from = 1; from <= calls; from += 1)
      for (const undone of [false, true]) {
        const file = fileTroubles[from % fileTroubles.length]!;
        const database = databaseTroubles[from % databaseTroubles.length]!;
        const trouble: TransientError = { from, calls: 1, file, database, undone };
        expect({ trouble, faults: await inTime(faultsWith(trouble)) }).toEqual({ trouble, faults: [] });
      }
  },
  3_600_000,
);
