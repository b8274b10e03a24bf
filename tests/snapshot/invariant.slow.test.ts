/**
 * The invariant: at every instant, each file that the manifest or the finished index of a layer names exists with the named bytes.
 * With retention, the files of the earlier snapshots exist too, so that a reader can finish its request.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { layersOf } from '../../build/derived/all.ts';
import { updateLayers } from '../../build/derived/layer.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import type { Connection } from '../../data/database/open.ts';
import { verify } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { installFailingDisk } from '../durability/intercepted-calls.ts';
import { FileStates } from './file-states.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const newNomination =
  'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (7, 2, 3, 3, 2)';
const newTitle = "UPDATE movies SET title = 'Amelia', genres = '[\"Farce\"]' WHERE id = 1";
const otherTitle = "UPDATE movies SET title = 'Amélie', genres = '[]' WHERE id = 1";
const deletion = 'DELETE FROM nominations WHERE song_id = 1; DELETE FROM songs';

describe.each([
  ['no retention', 0],
  ['retention', 3_600_000],
])('with %s', (_name, retentionMs) => {
  const out = () => at('dist');
  /** Every file is older than the retention time, unless it was retired. */
  let clock = Date.now() + 2 * 3_600_000;
  const now = () => new Date(clock);
  let connection: Connection;
  let builder: SnapshotBuilder;
  let states: FileStates;
  beforeEach(() => {
    rmSync(out(), { recursive: true, force: true });
    mkdirSync(out());
    connection = memoryDatabase(fillWithTinyRecord);
    builder = new SnapshotBuilder(connection, out(), { retentionMs, now });
    states = new FileStates(out());
  });
  afterEach(() => connection.close());

  const layers = (full?: boolean) => updateLayers(out(), layersOf(layerNames), { retentionMs, full, now });
  const buildSnapshot = (full?: boolean) => {
    // A builder removes files at intervals.
    clock += 11_000;
    return builder.build({ full });
  };
  const buildAll = async (full?: boolean) => {
    await buildSnapshot(full);
    await layers(full);
  };
  async function expectInvariant(minStates: number): Promise<void> {
    expect(states.count).toBeGreaterThan(minStates);
    expect(states.faults(retentionMs > 0)).toEqual([]);
    expect((await verify(connection, out(), layerNames)).differences).toEqual([]);
  }

  test('it holds in the first build', async () => {
    await states.record(() => buildAll());
    await expectInvariant(50);
  });

  test('it holds in builds and updates after a new nomination, a new title, a deletion, and all of them', async () => {
    await buildAll();
    for (const sql of [
      newNomination,
      newTitle,
      deletion,
      `DELETE FROM nominations WHERE id > 4; ${otherTitle}`,
    ]) {
      connection.exec(sql);
      await states.record(() => buildAll());
    }
    await expectInvariant(240);
  });

  test('it holds while snapshots follow each other faster than the layers', async () => {
    await buildAll();
    await states.record(async () => {
      for (const sql of [newNomination, newTitle, deletion]) {
        connection.exec(sql);
        await buildSnapshot();
      }
      await layers();
      connection.exec(otherTitle);
      await buildAll();
    });
    await expectInvariant(100);
  });

  test('it holds in a build of everything over a folder that is complete', async () => {
    await buildAll();
    connection.exec(newTitle);
    await states.record(() => buildAll(true));
    await expectInvariant(60);
  });

  test('it holds in an update that resumes an interrupted one', async () => {
    for (const last of [5, 20, 40, 70]) {
      await buildAll();
      connection.exec(
        `UPDATE movies SET title = 'Title ${last}' WHERE id = 1; DELETE FROM nominations WHERE id = ${last / 5}`,
      );
      await buildSnapshot();
      const disk = installFailingDisk(out(), last, true);
      await expect(layers()).rejects.toThrow('ENOSPC').finally(disk.repair);
      await states.record(() => layers());
    }
    await expectInvariant(150);
  });
});
