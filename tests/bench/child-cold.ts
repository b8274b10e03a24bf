/** One answer of a fresh resolver in a process of its own: the CPU time from the first byte read to the document. */
import { setTimeout } from 'node:timers/promises';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { childInput, report } from './child.ts';
import type { BenchRequest } from './requests.ts';

export interface ColdResult {
  /** Milliseconds, user and system, all threads. */
  cpu: number;
}

const { tree, request } = childInput<{ tree: string; request: BenchRequest }>();
// What tsx's loader thread still does after the last import is not the answer's.
await setTimeout(200);
const before = process.cpuUsage();
const resolver = new Resolver(fileSource(tree), { digest: nodeDigest });
const { status } = await resolver.answer({ method: 'GET', ...request });
const { user, system } = process.cpuUsage(before);
if (status !== 200) throw new Error(`${request.path}?${request.queryString} was answered with ${status}`);
report({ cpu: (user + system) / 1000 } satisfies ColdResult);
