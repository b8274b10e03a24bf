/** The resolver with nothing loaded: one answer in a new process, as at the edge, against loading a whole search index there. */
import type { ColdResult } from './child-cold.ts';
import { runScript } from './children.ts';
import { median, milliseconds } from './figures.ts';
import { miniSearchFile } from './minisearch-index.ts';
import { genreKinds, requestKinds } from './request-kinds.ts';
import { type BenchRequest, drawRequests } from './requests.ts';
import type { Row } from './table.ts';
import type { Workplace } from './workplace.ts';

const limit = 25;

/** @param processes for each kind, each with another request */
export async function coldRows(workplace: Workplace, processes: number, quick: boolean): Promise<Row[]> {
  const main = await workplace.main();
  const index = workplace.newPath('minisearch.json');
  miniSearchFile(main.record(), index);
  const kinds = requestKinds(main.record()).map((kind) => ({ kind, tree: main.tree, note: '' }));
  if (!quick) {
    const { record, tree } = await workplace.generated(1);
    const note = tree === main.tree ? '' : ' (generated record)';
    kinds.push(...genreKinds(record()).map((kind) => ({ kind, tree, note })));
  }
  const monolith: number[] = [];
  const answers = new Map<string, number[]>();
  for (let turn = 0; turn < processes; turn += 1) {
    monolith.push(
      (await runScript<ColdResult>('child-minisearch.ts', { index, q: 'katharine hepburn' })).cpu,
    );
    for (const { kind, tree, note } of kinds) {
      const request: BenchRequest = drawRequests(kind, processes, 3)[turn]!;
      const { cpu } = await runScript<ColdResult>('child-cold.ts', { tree: await tree(), request });
      const name = kind.name + note;
      answers.set(name, [...(answers.get(name) ?? []), cpu]);
    }
  }
  const other = median(monolith);
  return [...answers].map(([name, taken]) => {
    const own = median(taken);
    return {
      what: name,
      ours: milliseconds(own),
      rival: 'MiniSearch: load the index, search',
      figure: milliseconds(other),
      ratio: own / other,
      goal: `≤ ${limit} ms`,
      met: own <= limit,
    };
  });
}
