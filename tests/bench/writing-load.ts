/** Editors and readers at once: how long a write takes when many come, and what reading loses by it. */
import type { EditorsInput, EditorsResult } from './child-editors.ts';
import { runScript } from './children.ts';
import { count, latencies, milliseconds, percentile } from './figures.ts';
import type { Row } from './table.ts';
import type { World } from './workplace.ts';
import type { WritingService } from './writing-service.ts';

const writesPerSecond = 50;
const readsPerSecond = 200;
/** Milliseconds at the 99th percentile. */
const maxWriteMs = 500;
/** How many times as long a read may take while others write. */
const maxSlowdown = 3;

/** @param world the record the service began with */
export async function loadRows(service: WritingService, world: World, seconds: number): Promise<Row[]> {
  const { writes, refusals, snapshots, readsAlone, readsMeanwhile } = await runScript<EditorsResult>(
    'child-editors.ts',
    {
      origin: service.origin,
      database: world.database,
      keys: service.keys,
      seconds,
      readsPerSecond,
      writesPerSecond,
    } satisfies EditorsInput,
  );
  for (const refusal of refusals.slice(0, 5)) process.stderr.write(`\nrefused: ${refusal}`);
  const worst = percentile(writes, 0.99);
  const load = `${writesPerSecond} writes a second by ${service.keys.length} editors for ${seconds} s`;
  const slowing = percentile(readsMeanwhile, 0.99) / percentile(readsAlone, 0.99);
  return [
    {
      what: `${load}, median / p99`,
      ours: latencies(writes, 0.99),
      rival: 'limit of the p99',
      figure: milliseconds(maxWriteMs),
      ratio: worst / maxWriteMs,
      goal: `≤ ${maxWriteMs} ms`,
      met: worst <= maxWriteMs,
    },
    {
      what: '… refused, or answered without a snapshot that holds them',
      ours: count(refusals.length),
      rival: 'writes',
      figure: count(writes.length),
      ratio: refusals.length / writes.length,
      goal: '0',
      met: refusals.length === 0,
    },
    {
      what: '… rebuilds they shared',
      ours: count(snapshots),
      rival: 'writes',
      figure: count(writes.length),
      ratio: snapshots / writes.length,
      goal: '',
    },
    {
      what: `… ${readsPerSecond} reads a second meanwhile, median / p99`,
      ours: latencies(readsMeanwhile, 0.99),
      rival: 'the same without writing (ratio of p99)',
      figure: latencies(readsAlone, 0.99),
      ratio: slowing,
      goal: `≤ ${maxSlowdown} ×`,
      met: slowing <= maxSlowdown,
    },
  ];
}
