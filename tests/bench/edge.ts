/** The edge functions in Deno, over a host of plain files on loopback: CPU time, memory, and the size of the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Target } from '../../api/contract/target.ts';
import { deno, noDeno, startDeno } from '../conformance/deno.ts';
import { startStaticHost } from '../conformance/static-host.ts';
import { analysisKinds, exportKinds, mistypedNames } from './analysis-requests.ts';
import { project } from '../support/project.ts';
import { script } from './children.ts';
import type { CpuTime } from './cpu-time.ts';
import type { EdgeResult, EdgeTask } from './deno-edge.ts';
import { fastest, figure, inUnit, median } from './figures.ts';
import { pageKinds } from './page-requests.ts';
import { drawRequests, type RequestKind, requestKinds } from './requests.ts';
import { comparedWith, type Row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** CPU milliseconds cold, of suggestions, loading and of a whole export, MB of memory, KB of code in brotli. */
const goals = { cold: 25, suggestions: 30, loading: 10, export: 60, memory: 64, code: 100 };

/** V8 ends the process where its memory does not fit, and collects garbage before that. */
const heapLimit = `--v8-flags=--max-old-space-size=${goals.memory}`;

export async function edgeRows(workplace: Workplace, quick: boolean): Promise<Row[]> {
  const { processes, count } = quick ? { processes: 1, count: 100 } : { processes: 3, count: 300 };
  const code = [await codeRow()];
  if (!deno) {
    process.stderr.write(` ${noDeno};`);
    return code;
  }
  code.push(await loadingRow(workplace.newPath('edge'), processes));
  const main = await workplace.main();
  const record = main.record();
  const mistyped = mistypedNames(record);
  const kinds = [...requestKinds(record), ...analysisKinds(record), mistyped];
  const host = await startStaticHost(await main.tree());
  const run = (requests: readonly Target[], ...options: string[]) =>
    runInDeno({ origin: host.origin, requests }, workplace.newPath('edge.json'), options);
  /** The first request of each process. */
  const coldRow = async (kind: RequestKind, goal: number): Promise<Row> => {
    const drawn = drawRequests(kind, processes, 3);
    const first: CpuTime[] = [];
    for (let i = 0; i < processes; i += 1) first.push(...(await run([drawn[i % drawn.length]!])).requests);
    return cpuRow(`cold: ${kind.name}`, first, goal);
  };
  const cold: Row[] = [];
  for (const kind of [...kinds, ...pageKinds(record)])
    cold.push(await coldRow(kind, kind === mistyped ? goals.suggestions : goals.cold));
  for (const kind of exportKinds) cold.push(await coldRow(kind, goals.export));
  const all = kinds.flatMap((kind) => drawRequests(kind, count));
  const { held, resident } = await run(all, heapLimit);
  await host.stop();
  const what = `heap and buffers after ${all.length} requests, the heap limited to the goal`;
  const compared = comparedWith('growth of the whole process', 'MB');
  return [...cold, compared(what, held, resident, { max: goals.memory }), ...code];
}

/** With every permission: Deno shows /proc with nothing less. */
async function runInDeno(task: EdgeTask, file: string, options: readonly string[]): Promise<EdgeResult> {
  writeFileSync(file, JSON.stringify(task));
  const { line, stop } = await startDeno(script('deno-edge.ts'), [file], ['--allow-all', ...options]);
  await stop();
  return JSON.parse(line) as EdgeResult;
}

function cpuRow(what: string, times: readonly CpuTime[], max: number): Row {
  const [code, all] = [median(times.map((time) => time.code)), median(times.map((time) => time.all))];
  return comparedWith('all threads, with network and GC', 'ms')(what, code, all, { max });
}

/** Both entry points in one bundle, as Netlify deploys them: not minified. */
const bundled = (outdir: string, minify: boolean) =>
  build({
    entryPoints: ['read', 'write'].map((name) => join(project, `api/edge/netlify/${name}.ts`)),
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir,
    outExtension: { '.js': '.mjs' },
    minify,
    write: false,
    logLevel: 'silent',
  });

/** The code of the function for reads and pages, loaded in processes of their own: a cold start, before its first request. */
async function loadingRow(folder: string, processes: number): Promise<Row> {
  const { outputFiles } = await bundled(folder, false);
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const times: number[] = [];
  for (let i = 0; i < processes; i += 1) {
    const process = await startDeno(script('deno-loading.ts'), [join(folder, 'read.mjs')], ['--allow-all']);
    await process.stop();
    times.push(Number(process.line));
  }
  return comparedWith('fastest', 'ms')('loading the code', median(times), fastest(times), {
    max: goals.loading,
  });
}

async function codeRow(): Promise<Row> {
  const bundle = async (minify: boolean) => {
    const { outputFiles } = await bundled('out', minify);
    return Buffer.concat(outputFiles.map((file) => file.contents));
  };
  const [plain, minified] = [await bundle(false), await bundle(true)];
  const what = `code of both functions, brotli (${figure(inUnit(plain.length, 'KB'))} KB plain)`;
  const compared = comparedWith('the same, minified', 'KB');
  return compared(what, brotliCompressSync(plain).length, brotliCompressSync(minified).length, {
    max: goals.code,
  });
}
