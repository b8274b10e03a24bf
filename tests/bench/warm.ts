/** The resolver with everything loaded, kind by kind, against the same documents by SQL in the same process. */

import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { figure, median, percentile } from './figures.ts';
import { genreKinds, requestKinds } from './request-kinds.ts';
import { type BenchRequest, drawRequests, type RequestKind } from './requests.ts';
import { expectSameAnswers } from './sameness.ts';
import { SqlAnswers } from './sql-answers.ts';
import type { Row } from './table.ts';
import type { Workplace, World } from './workplace.ts';

/** Milliseconds in the median and at the 99th percentile. */
const goals = {
  list: { median: 0.4, worst: 2 },
  search: { median: 0.5, worst: 5 },
  none: undefined,
} as const;

export interface Effort {
  /** Different requests of each kind. */
  requests: number;
  /** Leaves out what needs another record. */
  quick: boolean;
  /** Slices in which ours and the rival take turns. */
  rounds: number;
}

export async function warmRows(workplace: Workplace, effort: Effort): Promise<Row[]> {
  const main = await workplace.main();
  const rows = await rowsOf(main, requestKinds(main.record()), effort, '');
  if (effort.quick) return rows;
  const generated = await workplace.generated(1);
  const note = main === generated ? '' : ' (generated record)';
  return [...rows, ...(await rowsOf(generated, genreKinds(generated.record()), effort, note))];
}

async function rowsOf(
  world: World,
  kinds: readonly RequestKind[],
  effort: Effort,
  note: string,
): Promise<Row[]> {
  // Answers are not kept: what is measured is finding them.
  const resolver = new Resolver(fileSource(await world.tree()), { digest: nodeDigest, answerBytes: 0 });
  const sql = new SqlAnswers(world.sqlDatabase());
  const ours = async (request: BenchRequest) => (await resolver.answer({ method: 'GET', ...request })).body;
  const rival = (request: BenchRequest) => Buffer.from(sql.answer(request.path, request.queryString)!);
  const rows: Row[] = [];
  for (const kind of kinds) {
    const warmUp = drawRequests(kind, 200, 2);
    await expectSameAnswers(
      warmUp,
      async (request) => new TextDecoder().decode((await ours(request))!),
      (request) => rival(request).toString(),
    );
    rows.push(await measure(kind, effort, ours, rival, note));
  }
  sql.close();
  return rows;
}

async function measure(
  kind: RequestKind,
  effort: Effort,
  ours: (request: BenchRequest) => Promise<unknown>,
  rival: (request: BenchRequest) => unknown,
  note: string,
): Promise<Row> {
  const requests = drawRequests(kind, effort.requests);
  const own = new Sides();
  const other = new Sides();
  for (let round = 0; round < effort.rounds; round += 1) {
    const slice = requests.filter((_, i) => i % effort.rounds === round);
    own.add(await latencies(slice, ours));
    other.add(await latencies(slice, async (request) => rival(request)));
  }
  const goal = goals[kind.goal];
  return {
    what: `${kind.name}${note}, ${requests.length} requests`,
    ours: own.text,
    rival: 'SQL in process',
    figure: other.text,
    ratio: own.median / other.median,
    goal: goal === undefined ? '' : `≤ ${goal.median} / ${goal.worst} ms`,
    met: goal && own.median <= goal.median && own.worst <= goal.worst,
  };
}

async function latencies(
  requests: readonly BenchRequest[],
  answer: (request: BenchRequest) => Promise<unknown>,
): Promise<number[]> {
  const taken: number[] = [];
  for (const request of requests) {
    const began = performance.now();
    await answer(request);
    taken.push(performance.now() - began);
  }
  return taken;
}

/** Latencies of one side, round by round. */
class Sides {
  readonly #rounds: number[][] = [];

  add(round: number[]): void {
    this.#rounds.push(round);
  }

  get median(): number {
    return median(this.#rounds.flat());
  }

  /** The 99th percentile, in the median round: a stray pause of the machine is not the program's. */
  get worst(): number {
    return median(this.#rounds.map((round) => percentile(round, 0.99)));
  }

  get text(): string {
    return `${figure(this.median)} / ${figure(this.worst)} ms`;
  }
}
