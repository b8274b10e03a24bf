/** `npm run bench`: one table of comparisons, each measured side by side in this run. */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { fullBuildRows, noChangeRows, scaleRows } from './building.ts';
import { coldRows } from './cold.ts';
import { edgeRows } from './edge.ts';
import { timed } from './figures.ts';
import { httpRows } from './http.ts';
import { publishRows } from './publish.ts';
import { searchBytesRows } from './search-bytes.ts';
import { type Row, type Section, tableText } from './table.ts';
import { warmRows } from './warm.ts';
import { Workplace } from './workplace.ts';
import { writingRows } from './writing.ts';

interface Part {
  title: string;
  /** Left out of a quick run. */
  slow?: boolean;
  rows(workplace: Workplace, quick: boolean): Promise<Row[]>;
}

const parts: Record<string, Part> = {
  build: {
    title: 'build: everything, into an empty folder (fastest of 3 rounds; --quick: 1)',
    rows: (workplace, quick) => fullBuildRows(workplace, quick ? 1 : 3),
  },
  scale: {
    title: 'build: scale 10 against scale 1 of the generated record (1 round against the faster of 2)',
    slow: true,
    rows: (workplace) => scaleRows(workplace),
  },
  unchanged: {
    title: 'build: nothing changed (median of 9 rounds; --quick: 3)',
    rows: (workplace, quick) => noChangeRows(workplace, quick ? 3 : 9),
  },
  warm: {
    title: 'resolver, warm, no answer kept: median / p99 of different requests (5 rounds; --quick: 2)',
    rows: (workplace, quick) =>
      warmRows(workplace, quick ? { quick, requests: 300, rounds: 2 } : { quick, requests: 2000, rounds: 5 }),
  },
  cold: {
    title: 'resolver, cold: CPU time of one answer in a new process (median of 3 processes; --quick: 1)',
    rows: (workplace, quick) => coldRows(workplace, quick ? 1 : 3, quick),
  },
  bytes: {
    title: 'search, cold: bytes in brotli 11 of 480 queries, as many of each kind (--quick: 120)',
    rows: (workplace, quick) => searchBytesRows(workplace, quick ? 120 : 480),
  },
  http: {
    title: 'HTTP: requests a second, 32 connections (median of 3 rounds of 2 s; --quick: 1 of 0.5 s)',
    rows: (workplace, quick) =>
      httpRows(workplace, quick ? { rounds: 1, duration: 0.5 } : { rounds: 3, duration: 2 }),
  },
  writing: {
    title: 'writing over HTTP: from the request to the answer, when GET shows the change',
    rows: (workplace, quick) =>
      writingRows(
        workplace,
        quick ? { quick, edits: 40, builds: 1, seconds: 10 } : { quick, edits: 200, builds: 3, seconds: 60 },
      ),
  },
  edge: {
    title:
      'edge functions in Deno: CPU of the thread that runs them (median of 3 processes; --quick: 1), memory, code',
    rows: (workplace, quick) =>
      edgeRows(workplace, quick ? { processes: 1, requests: 100 } : { processes: 3, requests: 300 }),
  },
  publish: {
    title: 'publish: to a stand-in for the host (median of 5 changed titles)',
    slow: true,
    rows: (workplace) => publishRows(workplace, 5),
  },
};

const usage = `usage: npm run bench -- [--quick] [--only PART]...\nparts: ${Object.keys(parts).join(', ')}\n`;

async function main(): Promise<number> {
  const { quick, only } = options();
  const workplace = new Workplace();
  const stop = () => {
    workplace.remove();
    process.exit(1);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const entries: (Row | Section)[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (only.length > 0 ? !only.includes(name) : quick && part.slow) continue;
      process.stderr.write(`measuring ${name} …`);
      const { value: rows, elapsed } = await timed(() => part.rows(workplace, quick));
      process.stderr.write(` ${(elapsed / 1000).toFixed(0)} s\n`);
      entries.push({ section: part.title }, ...rows);
    }
    process.stdout.write(`${await headline(workplace)}\n\n${tableText(entries)}\n`);
    return 0;
  } finally {
    process.stderr.write('removing the temporary files …\n');
    workplace.remove();
  }
}

function options(): { quick: boolean; only: string[] } {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
      },
    });
    if (values.only.every((name) => Object.hasOwn(parts, name))) return values;
  } catch {
    // What is wrong with it shows in the usage.
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
