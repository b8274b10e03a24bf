/** The edge functions in Deno, over a host of plain files on loopback: CPU time, memory, and the size of the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { deno, noDeno, startDeno } from '../conformance/deno.ts';
import { startStaticHost } from '../conformance/static-host.ts';
import { projectRoot, script } from './children.ts';
import type { CpuTime, EdgeResult, EdgeTask } from './deno-edge.ts';
import { figure, kilobytes, median, milliseconds, percentile } from './figures.ts';
import { requestKinds } from './request-kinds.ts';
import { type BenchRequest, drawRequests } from './requests.ts';
import type { Row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** Goals: CPU milliseconds cold and warm, bytes of memory and of compressed code. */
const goals = { cold: 25, warm: 3, memory: 64 * 1024 * 1024, code: 100 * 1024 };

/** V8 ends the process where what is in use does not fit: held to the goal, it cannot put off collecting either. */
const heapLimit = `--v8-flags=--max-old-space-size=${goals.memory / 1024 / 1024}`;

export interface EdgeEffort {
  /** New processes per kind of request, each with another one. */
  processes: number;
  /** Different requests of each kind that are measured once everything is loaded, after as many others. */
  requests: number;
}

export async function edgeRows(workplace: Workplace, effort: EdgeEffort): Promise<Row[]> {
  const code = await codeRows();
  if (!deno) {
    process.stderr.write(` ${noDeno};`);
    return code;
  }
  const main = await workplace.main();
  const kinds = requestKinds(main.record());
  const host = await startStaticHost(await main.tree());
  const run = (requests: readonly BenchRequest[], options?: readonly string[]) =>
    runInDeno({ origin: host.origin, requests }, workplace.newPath('edge.json'), options);
  const cold: Row[] = [];
  const warm: Row[] = [];
  for (const kind of kinds) {
    const first: CpuTime[] = [];
    for (const request of drawRequests(kind, effort.processes, 3))
      first.push((await run([request])).requests[0]!);
    cold.push(cpuRow(`cold: ${kind.name}`, first, (code) => median(code), goals.cold));
    const before = drawRequests(kind, effort.requests, 2);
    const taken = (await run([...before, ...drawRequests(kind, effort.requests)])).requests.slice(
      before.length,
    );
    warm.push(cpuRow(`warm, p99: ${kind.name}`, taken, (code) => percentile(code, 0.99), goals.warm));
  }
  const all = kinds.flatMap((kind) => drawRequests(kind, effort.requests));
  const rows = [...cold, ...warm, ...memoryRows(await run(all, [heapLimit]), all.length), ...code];
  await host.stop();
  return rows;
}

/** With every permission: Deno shows /proc to nothing less. */
async function runInDeno(task: EdgeTask, file: string, options: readonly string[] = []): Promise<EdgeResult> {
  writeFileSync(file, JSON.stringify(task));
  const { line, stop } = await startDeno(script('deno-edge.ts'), [file], ['--allow-all', ...options]);
  await stop();
  return JSON.parse(line) as EdgeResult;
}

function cpuRow(
  what: string,
  taken: readonly CpuTime[],
  pick: (times: number[]) => number,
  limit: number,
): Row {
  const [own, all] = [pick(taken.map((time) => time.code)), pick(taken.map((time) => time.all))];
  return {
    what,
    ours: milliseconds(own),
    rival: 'all threads, with network and GC',
    figure: milliseconds(all),
    ratio: own / all,
    goal: `≤ ${limit} ms`,
    met: own <= limit,
  };
}

function memoryRows({ held, resident }: EdgeResult, requests: number): Row[] {
  const megabytes = (bytes: number) => `${figure(bytes / 1024 / 1024)} MB`;
  return [
    {
      what: `heap and buffers after ${requests} requests, the heap limited to it`,
      ours: megabytes(held),
      rival: 'growth of the whole process',
      figure: megabytes(resident),
      ratio: held / resident,
      goal: `≤ ${goals.memory / 1024 / 1024} MB`,
      met: held <= goals.memory,
    },
  ];
}

/** Both entry points in one bundle, as Netlify deploys them: not minified. */
async function codeRows(): Promise<Row[]> {
  const bundle = async (minify: boolean) => {
    const { outputFiles } = await build({
      entryPoints: [join(projectRoot, 'api/edge/read.ts'), join(projectRoot, 'api/edge/write.ts')],
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: 'out',
      minify,
      write: false,
      logLevel: 'silent',
    });
    return Buffer.concat(outputFiles.map((file) => file.contents));
  };
  const [plain, minified] = [await bundle(false), await bundle(true)];
  return (
    [
      ['brotli', brotliCompressSync],
      ['gzip', gzipSync],
    ] as const
  ).map(([name, compress]) => {
    const [own, smaller] = [compress(plain).length, compress(minified).length];
    return {
      what: `code of both functions, ${name} (${kilobytes(plain.length)} plain)`,
      ours: kilobytes(own),
      rival: 'the same, minified',
      figure: kilobytes(smaller),
      ratio: own / smaller,
      goal: `≤ ${goals.code / 1024} KB`,
      met: own <= goals.code,
    };
  });
}
