/** `npm run bench`: one table of comparisons, each measured side by side in this run. */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { againstParts, type Part, verdict } from './against.ts';
import { coldRows, httpRows, warmRows } from './answers.ts';
import { type Row, tableText, timed } from './figures.ts';
import { Workplace } from './processes.ts';
import { abuseRows, buildRows, startRows, writingRows } from './service.ts';

const parts: Record<string, Part> = {
  build: buildRows,
  start: startRows,
  warm: warmRows,
  http: httpRows,
  edge: coldRows,
  writing: writingRows,
  abuse: abuseRows,
};

const usage = `usage: npm run bench -- [--quick] [--against DIR] [--only PART]...
parts: ${Object.keys(parts).join(', ')}
parts with --against, the same by another checkout of the project: ${Object.keys(againstParts('')).join(', ')}
`;

async function main(): Promise<void> {
  const { quick, only, chosen, against } = options();
  const workplace = new Workplace();
  process.on('exit', () => workplace.remove());
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const sections: { title: string; rows: Row[] }[] = [];
  for (const [title, rows] of Object.entries(chosen)) {
    if (only.length > 0 && !only.includes(title)) continue;
    process.stderr.write(`measuring ${title} …`);
    const elapsed = await timed(async () => sections.push({ title, rows: await rows(workplace, quick) }));
    process.stderr.write(` ${(elapsed / 1000).toFixed(0)} s\n`);
  }
  const machine = `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  process.stdout.write(
    `${machine}; ${workplace.name}; ratio = ours ÷ its figure\n\n${tableText(sections)}\n`,
  );
  if (against !== undefined) process.stdout.write(`\n${verdict(sections.flatMap(({ rows }) => rows))}\n`);
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
      return { against: undefined, ...values, chosen };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  process.stderr.write(usage);
  process.exit(2);
}

await main();
