/**
 * The pages layer: the answer of every record (api/<resource>/<id>.json), every page of the unfiltered lists
 * (api/<resource>.json, then api/<resource>/pages/<n>.json), the lists in filtered.ts, and the rankings that a request can ask
 * for by one filter.
 */
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';

export const pagesLayer: Layer = {
  name: 'pages',
  code: () => codeFingerprint(import.meta.url, './layer.ts', '../../../api/read/snapshot.ts'),
  // Loaded when there is something to do: most builds only find out that there is nothing.
  async *all(snapshot) {
    const { allPageFiles } = await import('./pages.ts');
    yield* allPageFiles(snapshot);
  },
  async *affected(before, after) {
    const { affectedPageFiles } = await import('./pages.ts');
    yield* affectedPageFiles(before, after);
  },
};
