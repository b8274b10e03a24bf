/**
 * The lists layer: the films of each category and each ceremony as JSON, which media tools such as Radarr take as a custom
 * list, and as RSS 2.0, with an index of them. Values that may not be passed on are never in it.
 */
import { codeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Layer } from '../layer.ts';

/** @param origin of the links in feeds, such as https://awards.example */
export function listsLayer(origin: string): Layer {
  return {
    name: 'lists',
    // Feeds with other links have another maker.
    code: () =>
      `${codeFingerprint(import.meta.url, './layer.ts', '../../../api/read/snapshot.ts')}+${origin}`,
    async *all(snapshot) {
      const { allListFiles } = await import('./lists.ts');
      yield* allListFiles(snapshot, origin);
    },
  };
}
