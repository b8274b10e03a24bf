/** Readers and editors at a running service, in a process of their own: the readers alone first, then with the editors. */
import { openDatabase } from '../../data/open.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { childInput, report } from './child.ts';
import { Client, type Reply } from './client.ts';
import { EditDraws } from './edits.ts';
import { Choices } from './random.ts';
import { requestKinds } from './request-kinds.ts';
import { addressOf, drawRequests } from './requests.ts';
import { bySchedule, moments } from './schedule.ts';

export interface EditorsInput {
  origin: string;
  /** With the record as it was when the service began, to draw from. */
  database: string;
  /** One for each editor. */
  keys: readonly string[];
  seconds: number;
  readsPerSecond: number;
  writesPerSecond: number;
}

export interface EditorsResult {
  /** Milliseconds from the moment a request was due to the last byte of its answer. */
  readsAlone: number[];
  readsMeanwhile: number[];
  writes: number[];
  /** What was answered with anything but the success and the snapshot that holds it. */
  refusals: string[];
  /** Snapshots that the writes were answered with. */
  snapshots: number;
}

/** Seconds of reading before anything counts. */
const warmUp = 3;

const { origin, database, keys, seconds, readsPerSecond, writesPerSecond } = childInput<EditorsInput>();
const connection = openDatabase(database, { mustExist: true });
const record = loadPlainRecord(connection);
connection.close();
const kinds = requestKinds(record);

/** All kinds of requests in turn, each different, and others for each seed. @throws Error unless every answer is a document */
async function read(duration: number, seed: number): Promise<number[]> {
  const client = new Client(origin);
  const each = Math.ceil((readsPerSecond * duration) / kinds.length);
  const drawn = kinds.map((kind) => drawRequests(kind, each, seed));
  const addresses = Array.from({ length: each }, (_, i) =>
    drawn.map((requests) => addressOf(requests[i % requests.length]!)),
  ).flat();
  const taken = await bySchedule(moments(new Choices(seed), readsPerSecond, duration), async (i) => {
    const { status } = await client.get(addresses[i]!);
    if (status !== 200) throw new Error(`${addresses[i]} was answered with ${status}`);
  });
  client.close();
  return taken;
}

async function write(): Promise<Pick<EditorsResult, 'writes' | 'refusals' | 'snapshots'>> {
  const draws = new EditDraws(record, 7);
  const choices = new Choices(7);
  const clients = keys.map((key) => ({ key, client: new Client(origin) }));
  // Every editor in a rhythm of their own.
  const due = clients
    .flatMap((editor) =>
      moments(choices, writesPerSecond / clients.length, seconds).map((at) => ({ at, editor })),
    )
    .sort((a, b) => a.at - b.at)
    .map((turn) => ({ ...turn, edit: draws.mixed() }));
  const refusals: string[] = [];
  const snapshots = new Set<string>();
  const writes = await bySchedule(
    due.map(({ at }) => at),
    async (i) => {
      const { editor, edit } = due[i]!;
      const answer = await editor.client.write(edit, editor.key);
      const snapshot = snapshotOf(answer, edit.method === 'POST' ? 201 : 200);
      if (snapshot === undefined)
        refusals.push(`${edit.method} ${edit.path}: ${answer.status} ${answer.body}`);
      else snapshots.add(snapshot);
    },
  );
  for (const { client } of clients) client.close();
  return { writes, refusals, snapshots: snapshots.size };
}

/** The snapshot that holds a write; undefined where it was refused or does not show. */
const snapshotOf = ({ status, headers }: Reply, success: number): string | undefined =>
  status === success && typeof headers.snapshot === 'string' ? headers.snapshot : undefined;

await read(warmUp, 101);
const readsAlone = await read(seconds, 102);
const [readsMeanwhile, written] = await Promise.all([read(seconds, 103), write()]);
report({ readsAlone, readsMeanwhile, ...written } satisfies EditorsResult);
