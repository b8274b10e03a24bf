/** An older snapshot never replaces a newer one. Where the order is unknown, only --force replaces the live deploy. */
import { cpSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DeployTitle, formatTitle, parseTitle, refuseOlder } from '../../build/publish/deploy-title.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { runs } from '../support/settings.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { build, useStage } from './stage.ts';

const stage = useStage();
const newer = /shows a newer snapshot .*revision [0-9]+.*--force/;
const unknown = /it is unknown which is newer; --force replaces it/;

const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const anyTitle: fc.Arbitrary<DeployTitle> = fc.record({
  snapshot: hexadecimal(20),
  files: hexadecimal(20),
  place: fc.option(fc.record({ lineage: hexadecimal(16), revision: fc.nat() }), { nil: undefined }),
});

test('parseTitle() reads what formatTitle() writes, and no other title', () => {
  fc.assert(
    fc.property(anyTitle, (title) => {
      expect(parseTitle(formatTitle(title))).toEqual(title);
    }),
    { numRuns: runs(80) },
  );
  for (const title of ['', 'Deploy from the command line', `${formatTitle(fc.sample(anyTitle, 1)[0]!)}!`])
    expect(parseTitle(title)).toBeUndefined();
});

test('within one lineage the lower revision is refused, and equal revisions are not', () => {
  const at = (revision: number): DeployTitle => ({
    ...fc.sample(anyTitle, 1)[0]!,
    snapshot: String(revision).padStart(20, '0'),
    place: { lineage: 'a'.repeat(16), revision },
  });
  for (const live of [0, 1, 2])
    for (const next of [0, 1, 2]) {
      const replace = () => refuseOlder(at(live), { ...at(next), snapshot: 'f'.repeat(20) }, 'it');
      if (live > next) expect(replace).toThrow(newer);
      else expect(replace).not.toThrow();
    }
});

/** Publishes from a folder that is built from another database. */
async function publishFrom(name: string, connection: Connection, force = false): Promise<unknown> {
  await build(connection, stage.at(name));
  return stage.publish({ out: stage.at(name), connection, force });
}

test('a copy from before an edit is refused and changes nothing; the newer one replaces a forced older one', async () => {
  await stage.connection.backup(stage.at('older.db'));
  await stage.edit();
  await stage.publish();
  const after = stage.tree();
  const older = openDatabase(stage.at('older.db'));
  await expect(publishFrom('older', older)).rejects.toThrow(newer);
  stage.expectLive(after);
  expect(stage.api.deploys.size).toBe(1);
  await publishFrom('older', older, true);
  expect(stage.liveTree()).not.toEqual(after);
  older.close();
  await stage.publish();
  stage.expectLive(after);
});

test('another record is refused, whatever its revision', async () => {
  const other = openDatabase(stage.at('other.db'));
  fillWithTinyRecord(other);
  other.exec("UPDATE movies SET title = 'Another'; UPDATE movies SET title = 'Third'");
  await stage.publish();
  await expect(publishFrom('other', other)).rejects.toThrow(unknown);
  stage.expectLive(stage.tree());
  other.close();
});

test('a copy of the database continues the record', async () => {
  await stage.publish();
  await stage.connection.backup(stage.at('moved.db'));
  const moved = openDatabase(stage.at('moved.db'));
  moved.exec("UPDATE movies SET title = 'Elsewhere' WHERE id = 1");
  expect(await publishFrom('moved', moved)).toMatchObject({ scope: 'deploy' });
  moved.close();
});

test('a snapshot without a database is published to an empty site; its replacement needs --force', async () => {
  const options = { out: stage.at('copied'), connection: undefined };
  cpSync(stage.out, options.out, { recursive: true });
  await stage.publish(options);
  await stage.publish(options);
  await stage.edit();
  rmSync(options.out, { recursive: true });
  cpSync(stage.out, options.out, { recursive: true });
  await expect(stage.publish(options)).rejects.toThrow(unknown);
  await stage.publish({ ...options, force: true });
  stage.expectLive(stage.tree());
});

test('a deploy of another tool is replaced only by --force', async () => {
  stage.api.publishElsewhere('My first site', new Map([['index.html', Buffer.from('hello')]]));
  await expect(stage.publish()).rejects.toThrow(/did not upload; --force replaces them/);
  expect([...stage.api.live()!.keys()]).toEqual(['index.html']);
  await stage.publish({ force: true });
  stage.expectLive(stage.tree());
});

test('a newer snapshot that another publisher makes live during the uploads stays', async () => {
  await stage.publish();
  const title = parseTitle([...stage.api.deploys.values()][0]!.title)!;
  await stage.edit();
  const elsewhere = new Map([['manifest.json', Buffer.from('newer')]]);
  const later = { ...title, snapshot: 'f'.repeat(20), place: { ...title.place!, revision: 1_000_000 } };
  stage.api.onUpload = () => {
    stage.api.onUpload = () => {};
    stage.api.publishElsewhere(formatTitle(later), elsewhere);
  };
  await expect(stage.publish()).rejects.toThrow(newer);
  expect(stage.api.live()).toEqual(elsewhere);
  expect(stage.deployStates()).toEqual(['ready', 'error', 'ready']);
});

test('a site that is locked to a deploy is refused', async () => {
  await stage.publish();
  stage.api.locked = true;
  await stage.edit();
  await expect(stage.publish()).rejects.toThrow(/is locked to the deploy it shows; start auto publishing/);
  expect(stage.api.deploys.size).toBe(1);
});

test('changes that are not built are reported, not published', async () => {
  stage.connection.exec("UPDATE movies SET title = 'Unbuilt' WHERE id IN (1, 2)");
  expect(await stage.publish()).toMatchObject({ behind: 2 });
  await stage.build();
  expect(await stage.publish()).toMatchObject({ scope: 'deploy', behind: 0 });
});
