/** What the editor reads of the record, and the writes that it makes of what is typed: nothing twice, nothing over the work of others. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fillWithSample } from '../../data/sample/sample.ts';
import { compiledRecord } from '../records/build.ts';

/** The modules of the editor, which read the record of the host by fetch(). */
async function editorModules() {
  const [reading, making, rows, nights, sheet] = await Promise.all([
    import('../../build/site/edit/reading.ts'),
    import('../../build/site/edit/making.ts'),
    import('../../build/site/edit/rows.ts'),
    import('../../build/site/edit/night-state.ts'),
    import('../../build/site/edit/sheet-text.ts'),
  ]);
  return { ...reading, ...making, ...rows, ...nights, ...sheet };
}
let editor: Awaited<ReturnType<typeof editorModules>>;
beforeAll(async () => {
  const { files } = await compiledRecord(fillWithSample);
  vi.stubGlobal('fetch', async (address: string) => {
    const bytes = await files.file(address.slice(1));
    return new Response((bytes ?? null) as Uint8Array<ArrayBuffer> | null, { status: bytes ? 200 : 404 });
  });
  vi.resetModules();
  editor = await editorModules();
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a record', () => {
  it('is read with its ETag; one that is not there is refused with the sentence of the API', async () => {
    const { values, etag } = await editor.load('movies', 360);
    expect([values.title, etag]).toEqual(['The Shape of Water', expect.stringMatching(/^"/)]);
    expect(await editor.loadIfThere('movies', 999_999)).toBeUndefined();
    await expect(editor.load('movies', 999_999)).rejects.toMatchObject({ status: 404 });
    await expect(editor.read('/api/movies', 'page=0')).rejects.toMatchObject({ status: 400 });
  });

  it('that is new gets the next number; a change is of the version that was read', async () => {
    const making = new editor.Making();
    await editor.addRecord('movies', undefined, { title: 'New' }, undefined, making);
    await editor.addRecord('movies', undefined, { title: 'Newer' }, undefined, making);
    await editor.addRecord('movies', 360, { runtime: 124 }, '"read"', making);
    const highest = Math.max(...(await editor.list('movies')).map(({ id }) => id));
    expect(making.writes).toEqual([
      { method: 'POST', path: '/api/movies', body: { id: highest + 1, title: 'New' } },
      { method: 'POST', path: '/api/movies', body: { id: highest + 2, title: 'Newer' } },
      { method: 'PATCH', path: '/api/movies/360', body: { runtime: 124 }, if_match: '"read"' },
    ]);
  });
});

describe('a typed row', () => {
  it('that is stored already, or stands above, is left out; one that lacks a name is not', async () => {
    const night = await editor.loadNight(90);
    const stored = editor.rowOfNomination(night.saved[0]!);
    const fresh = { ...stored, name: 'Qwertz Uiopü' };
    const nameless = { ...stored, film: '' };
    const reads = await editor.readRows([stored, fresh, fresh, nameless, nameless], night, {});
    expect(reads.map(editor.isCopy)).toEqual([true, false, true, false, false]);
    expect(reads.map(({ faults }) => faults.film)).toEqual([
      ...Array(3).fill(undefined),
      ...Array(2).fill('must be filled in'),
    ]);
    expect(editor.storedCopies(reads[0]!, night).map(({ id }) => id)).toEqual([night.saved[0]!.id]);
    const making = new editor.Making();
    for (const read of reads.slice(0, 3)) await editor.addWrites(read, night, making, (column) => column);
    expect(making.writes.map(({ path }) => path)).toEqual(['/api/nominees', '/api/nominations']);
  });
});
