/** The resolver in process, with everything loaded, against SQL. */
import { splitTarget, type Target } from '../../api/contract/target.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { analysisKinds } from './analysis-requests.ts';
import { median, percentile } from './figures.ts';
import { drawRequests, type RequestKind, requestKinds } from './requests.ts';
import { expectSameAnswers } from './sameness.ts';
import { SqlAnswers } from './sql-answers.ts';
import { comparedWith, type Row, type Spread } from './table.ts';
import type { Workplace } from './workplace.ts';

/** Milliseconds: the median and the 99th percentile. */
const warmGoals: Record<RequestKind['goal'], { median: number; tail: number }> = {
  list: { median: 0.4, tail: 2 },
  search: { median: 0.5, tail: 5 },
  counts: { median: 0.3, tail: 2 },
  embedded: { median: 0.5, tail: 5 },
};

/** Keeps no answers: the bench measures how long finding them takes. */
const folderResolver = (tree: string) =>
  new Resolver(fileSource(tree), { digest: nodeDigest, answerBytes: 0 });

/** Ours and SQL answer the requests of each kind in turns. */
export async function warmRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const { count, rounds } = quick ? { count: 300, rounds: 2 } : { count: 2000, rounds: 5 };
  const compared = comparedWith('SQL in process', 'ms');
  const rows: Row[] = [];
  const main = await workplace.main();
  const resolver = folderResolver(await main.tree());
  const sql = new SqlAnswers(main.sqlDatabase());
  const ours = async (request: Target) => (await resolver.answer({ method: 'GET', ...request })).body;
  const theirs = (request: Target) => Buffer.from(sql.answer(request.path, request.queryString)!);
  for (const kind of [...requestKinds(main.record()), ...analysisKinds(main.record())]) {
    await expectSameAnswers(
      drawRequests(kind, 200, 2),
      async (request) => new TextDecoder().decode((await ours(request))!),
      (request) => theirs(request).toString(),
    );
    const requests = drawRequests(kind, count);
    const own: number[][] = [];
    const other: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const slice = requests.filter((_, i) => i % rounds === round);
      own.push(await latencies(slice, ours));
      other.push(await latencies(slice, async (request) => theirs(request)));
    }
    const what = `${kind.name}, ${requests.length} requests`;
    rows.push(compared(what, overRounds(own), overRounds(other), { max: warmGoals[kind.goal] }));
  }
  sql.close();
  return rows;
}

type Answer = (request: Target) => Promise<unknown>;

async function latencies(requests: readonly Target[], answer: Answer): Promise<number[]> {
  const taken: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    await answer(request);
    taken.push(performance.now() - start);
  }
  return taken;
}

/** The tail is that of the median round, so that one pause of the machine does not count. */
const overRounds = (rounds: readonly number[][]): Spread => ({
  median: median(rounds.flat()),
  tail: median(rounds.map((round) => percentile(round, 0.99))),
});

const ids = Array.from({ length: 1000 }, (_, at) => at * 7 + 1).join(',');
const words = Array.from({ length: 166 }, (_, at) => (at + 370).toString(36)).join('+');
const letters = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0x61 + (at % 26))).join('+');
const faults = Array.from({ length: 4000 }, (_, at) => at.toString(36)).join('&');
const e = 'movie=e&nominee=e&category=e';
const extremes: Record<string, string> = {
  'a thousand ids': `/api/nominations?ids=${ids}`,
  'thousands of ids of everything': `/api/nominations?ids=${ids}&movie_ids=${ids}&nominee_ids=${ids}`,
  'the last possible page': '/api/nominations?page=1000000&limit=100',
  'a text of 500 characters': `/api/nominations?movie=${'a'.repeat(500)}&nominee=${'e'.repeat(500)}`,
  'a letter that every text has': `/api/nominations?${e}&limit=100&page=2`,
  'every filter': `/api/nominations?${e}&winner=false&is_song=false&yearStart=1&yearEnd=9999`,
  'films by everything': '/api/movies?title=e&genre=Drama&yearStart=1&yearEnd=9999&limit=100',
  'a search for 166 words': `/api/search?q=${words}`,
  'a search for 250 letters': `/api/search?q=${letters}`,
  'a search for one word again and again': `/api/search?q=${'an+'.repeat(166)}`,
  'a search for frequent prefixes': '/api/search?q=th+a+be&limit=100',
  'a ranking': '/api/stats/top-nominees?yearStart=1&category=e&known_for_department=a&limit=100',
  'thousands of faults': `/api/nominations?${faults}`,
};

/** Requests that cost most, against a plain filter: quadratic time would be far above it. */
export async function extremeRows(workplace: Workplace): Promise<Row[]> {
  const resolver = folderResolver(await (await workplace.main()).tree());
  const fastest = async (target: string) =>
    Math.min(
      ...(await latencies(Array(8).fill(splitTarget(target)), (own) =>
        resolver.answer({ method: 'GET', ...own }),
      )),
    );
  const plain = await fastest('/api/nominations?movie=er&nominee=an&limit=100');
  const compared = comparedWith('a plain filter', 'ms');
  const rows: Row[] = [];
  for (const [what, target] of Object.entries(extremes))
    rows.push(compared(what, await fastest(target), plain, { max: 30 }));
  return rows;
}
