/** `npm run bench`: one table of comparisons, each measured side by side in this run. */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { abuseRows } from './abuse.ts';
import { againstParts, verdict } from './against.ts';
import { fullBuildRows, scaleRows } from './building.ts';
import { edgeRows } from './edge.ts';
import { enrichRows } from './enriching.ts';
import { timed } from './figures.ts';
import { httpRows } from './http.ts';
import { extremeRows, warmRows } from './resolver.ts';
import { restartRows } from './restart.ts';
import { searchBytesRows } from './search-bytes.ts';
import { type Part, type Row, type Section, tableText } from './table.ts';
import { Workplace } from './workplace.ts';
import { burstPart, writingRows } from './writing.ts';

/** Rounds are those of a full run; a quick one has fewer. */
const parts: Record<string, Part> = {
  build: { title: 'build: everything, into an empty folder (fastest of 3 rounds)', rows: fullBuildRows },
  scale: { title: 'build: scale 10 against scale 1 of the generated record', slow: true, rows: scaleRows },
  warm: { title: 'resolver, warm, no answer kept: median / p99 of different requests', rows: warmRows },
  extreme: { title: 'resolver, warm: extreme requests (fastest of 8)', rows: extremeRows },
  bytes: { title: 'search, cold: bytes in brotli 11', rows: searchBytesRows },
  http: { title: 'HTTP: requests a second, 32 connections (median of 3 rounds of 2 s)', rows: httpRows },
  writing: {
    title: 'writing over HTTP: from the request to the answer, when GET shows it',
    rows: writingRows,
  },
  burst: {
    title: 'writing, many editors at once, and how soon the pages follow',
    slow: true,
    rows: burstPart,
  },
  restart: { title: 'serve: the first answer after kill -9', slow: true, rows: restartRows },
  abuse: { title: 'abuse: another reader meanwhile, and memory', slow: true, rows: abuseRows },
  edge: { title: 'edge functions in Deno: CPU of their thread, memory, code', rows: edgeRows },
  enrich: { title: 'enrich wikidata: generated sources', slow: true, rows: enrichRows },
};

const usage = `usage: npm run bench -- [--quick] [--against DIR] [--only PART]...
parts: ${Object.keys(parts).join(', ')}
parts with --against, the same by another checkout of the project: ${Object.keys(againstParts('')).join(', ')}
`;

async function main(): Promise<number> {
  const { quick, only, chosen, isAgainst } = options();
  const workplace = new Workplace();
  const stop = () => {
    workplace.remove();
    process.exit(1);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const entries: (Row | Section)[] = [];
    for (const [name, part] of Object.entries(chosen)) {
      if (only.length > 0 ? !only.includes(name) : quick && part.slow) continue;
      process.stderr.write(`measuring ${name} …`);
      const { value: rows, elapsed } = await timed(() => part.rows(workplace, quick));
      process.stderr.write(` ${(elapsed / 1000).toFixed(0)} s\n`);
      entries.push({ section: part.title }, ...rows);
    }
    process.stdout.write(`${await headline(workplace)}\n\n${tableText(entries)}\n`);
    if (isAgainst) process.stdout.write(`\n${verdict(entries)}\n`);
    return 0;
  } finally {
    process.stderr.write('removing the temporary files …\n');
    workplace.remove();
  }
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        against: { type: 'string' },
      },
    });
    const chosen = values.against === undefined ? parts : againstParts(values.against);
    if (values.only.every((name) => Object.hasOwn(chosen, name)))
      return { ...values, chosen, isAgainst: values.against !== undefined };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  process.stderr.write(usage);
  process.exit(2);
}

async function headline(workplace: Workplace): Promise<string> {
  const { name } = await workplace.main();
  const machine = `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  return `${machine}; ${name}; ratio = ours ÷ its figure`;
}

process.exitCode = await main();
