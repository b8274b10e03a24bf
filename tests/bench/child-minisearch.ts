/** The rival of a cold search: reading and loading one whole MiniSearch index, then one search in it. */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { childInput, report } from './child.ts';
import type { ColdResult } from './child-cold.ts';
import { miniSearchOptions } from './minisearch-index.ts';

const { index, q } = childInput<{ index: string; q: string }>();
// As in child-cold.ts.
await setTimeout(200);
const before = process.cpuUsage();
const found = MiniSearch.loadJSON(readFileSync(index, 'utf8'), miniSearchOptions).search(q);
const { user, system } = process.cpuUsage(before);
if (found.length === 0) throw new Error(`nothing found for ${q}`);
report({ cpu: (user + system) / 1000 } satisfies ColdResult);
