/** The promise: the commands that documents show run as written, and the restore drill finds a backup that is of no use. */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { migrations, schemaOf } from '../../data/database/migrations.ts';
import { keptSchemas, restoreKept } from '../records/kept-databases.ts';
import { DeployApi } from '../support/deploy-api.ts';
import { commandBlocks, DocumentShell } from '../support/document-commands.ts';
import { addressOf, awards, outcomeOf, startAwards, startNode } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { startStaticHost } from '../support/static-host.ts';

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');
const record = join(project, 'data/sample/record.tsv');
const wholeRecord = 'https://raw.githubusercontent.com/DLu/oscar_data/main/oscars.csv';

// Each of these tests runs many commands.
vi.setConfig({ testTimeout: 240_000 });

let shell: DocumentShell;
beforeEach(() => {
  shell = new DocumentShell();
});

/** Starts the service over the database of the shell for one test. @returns its address */
async function startOverDatabase(origin = ''): Promise<string> {
  const words = ['serve', '--port', '0', '--db', shell.db, '--out', shell.out];
  const child = startAwards(words, { AWARDS_ORIGIN: origin });
  const outcome = outcomeOf(child);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });
  return addressOf(child);
}

async function startNetlify(): Promise<DeployApi> {
  const api = await DeployApi.start();
  onTestFinished(() => api.stop());
  return api;
}

it('README: starts, asks, makes a key, and writes', async () => {
  const [starting, asking, keys, writing, ...more] = commandBlocks('README.md');
  expect(more).toEqual([]);
  await shell.run(starting!, { [wholeRecord]: record });
  const origin = await startOverDatabase();
  const places = { 'http://127.0.0.1:3000': origin };
  expect((await shell.run(asking!, places)).match(/^\{"/gm)?.length).toBeGreaterThanOrEqual(4);
  expect(await shell.run(keys!, places)).toMatch(/^fa_\w+$/m);
  const written = await shell.run(writing!, places);
  expect(written.match(/"moment_1_caption":"The wrong envelope: /g)?.length).toBeGreaterThanOrEqual(2);
  expect(written).toContain('"key":"alice"');
  const [, program = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(textOf('README.md'))!;
  const file = join(shell.root, 'program.mts');
  const [key] = /fa_\w+/.exec(readFileSync(shell.at('printed'), 'utf8'))!;
  writeFileSync(
    file,
    `const [key, moment_1_caption] = ['${key}', 'From the program.'];\n${program}`
      .replace('film-awards-client', join(project, 'api/client/index.ts'))
      .replaceAll('https://awards.example', origin),
  );
  const { code, stdout, stderr } = await outcomeOf(startNode(['--import', 'tsx', file]));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trim().split('\n').length).toBeGreaterThan(5);
  const ceremony = (await (await fetch(`${origin}/api/ceremonies/89`)).json()) as {
    moment_1_caption: string;
  };
  expect(ceremony.moment_1_caption).toBe('From the program.');
});

it('CONTRIBUTING.md: the commands of the set-up and of the fast loop exist', async () => {
  const blocks = commandBlocks('CONTRIBUTING.md');
  expect(blocks).toHaveLength(2);
  for (const block of blocks) await shell.run(block);
});

it('deploy.md: publishes to Netlify, Cloudflare and a folder, and runs as a package and as an image', async () => {
  const netlify = await startNetlify();
  const { api, site, token } = netlify.account;
  const places: Record<string, string> = {
    'https://api.netlify.com/api/v1': api,
    'NETLIFY_AUTH_TOKEN=…': `NETLIFY_AUTH_TOKEN=${token} NETLIFY_API_URL=${api}`,
    'NETLIFY_SITE_ID=…': `NETLIFY_SITE_ID=${site}`,
    '--to DIR': '--to "$ROOT/copied"',
  };
  const outputs: string[] = [];
  for (const block of commandBlocks('docs/deploy.md')) {
    if (/curl '?http/.test(block)) {
      const origin = await startOverDatabase('https://my-film-awards.netlify.app');
      places['https://my-film-awards.netlify.app/api'] = `${origin}/api`;
      places['http://127.0.0.1:3000'] = origin;
    }
    if (block.includes('--live https')) {
      // As in CI: the folder of the last publish is gone, and the site has its files.
      const [live, uploaded] = [join(shell.checkout, 'cloudflare'), shell.at('uploaded')];
      cpSync(live, uploaded, { recursive: true });
      rmSync(live, { recursive: true });
      const host = await startStaticHost(uploaded);
      onTestFinished(host.stop);
      places['--live https://awards.example'] = `--live ${host.origin}`;
    }
    outputs.push(await shell.run(block, places));
  }
  expect(outputs).toHaveLength(12);
  expect(netlify.live()!.has('manifest.json')).toBe(true);
  expect(netlify.offences).toEqual([]);
  for (const folder of [shell.at('copied'), join(shell.checkout, 'cloudflare')])
    expect(
      readFileSync(join(folder, 'manifest.json')).equals(readFileSync(join(shell.out, 'manifest.json'))),
    ).toBe(true);
  expect(outputs.join('')).toMatch(/fa_\w+/);
});

describe('operations.md', () => {
  const [backup, upgrade, keys, ...more] = commandBlocks('docs/operations.md');
  /** The way back, as the page says it. */
  const wayBack = /The way back,.*?`(awards restore awards\.db\.before-N)`/.exec(
    textOf('docs/operations.md'),
  )?.[1];

  it('has a backup each day, a restore with what follows, and keys where the output is no terminal', async () => {
    expect(more).toEqual([]);
    const { environment } = await startNetlify();
    await awards(['import', record, '--db', shell.db]);
    await awards(['build', '--db', shell.db, '--out', shell.out]);
    const account = Object.entries(environment).map(([name, value]) => `export ${name}=${value}\n`);
    const output = await shell.run(account.join('') + backup!, { '2026-11-22': '$(date +%F)' });
    expect(output).toMatch(/restored from [\s\S]*equal to a clean build/);
    await awards(['sample', '--db', shell.at('var/lib/film-awards/awards.db')]);
    expect((await shell.run(keys!)).match(/^fa_\w+/gm)).toHaveLength(2);
  });

  it.each(keptSchemas.filter((schema) => schema < migrations.length))(
    'upgrades a database of schema %i, keeps what editors wrote, and leads back to the database before',
    async (schema) => {
      restoreKept(schema, shell.db);
      const contentOf = (file: string) => {
        const connection = new Database(file, { readonly: true });
        const rows = ['movies', 'nominees', 'given', 'api_keys'].map((table) =>
          connection.prepare(`SELECT * FROM ${table}`).all(),
        );
        const found = { schema: schemaOf(connection), rows };
        connection.close();
        return found;
      };
      const before = contentOf(shell.db);
      expect(before.schema).toBe(schema);
      expect(await shell.run(upgrade!)).toContain('equal to a clean build');
      const after = contentOf(shell.db);
      expect(after.schema).toBe(migrations.length);
      for (const [table, rows] of before.rows.entries())
        expect(after.rows[table]).toEqual(rows.map((row) => expect.objectContaining(row as object)));
      expect(contentOf(shell.at('backups/before-upgrade.db'))).toEqual(before);
      const copy = `awards.db.before-${migrations.length}`;
      expect(contentOf(shell.at(copy))).toEqual(before);
      // A write after the upgrade is lost, and is in the database that was replaced.
      await awards(['keys', 'create', 'later', '--db', shell.db]);
      expect(
        await shell.run(`cd "$ROOT"; ${wayBack!.replace('before-N', `before-${migrations.length}`)}`),
      ).toContain('restored from');
      expect(contentOf(shell.db).rows).toEqual(after.rows);
      const [replaced] = readdirSync(shell.root).filter((name) => name.includes('.replaced-'));
      expect(contentOf(shell.at(replaced!)).rows.at(-1)).toContainEqual(
        expect.objectContaining({ name: 'later' }),
      );
    },
  );
});

it('systemd.md can be followed from the installation to the way back', async () => {
  const blocks = commandBlocks('docs/systemd.md');
  expect(blocks.length).toBeGreaterThanOrEqual(7);
  copyFileSync(join(project, 'deploy/restore-drill.sh'), shell.at('usr/local/bin/restore-drill.sh'));
  const db = shell.at('var/lib/film-awards/awards.db');
  const latestBackup = () =>
    join('backups', readdirSync(shell.at('var/lib/film-awards/backups')).sort().at(-1)!);
  const outputs: string[] = [];
  for (const block of blocks) {
    const [copy] = /(?<=film-awards\/)awards\.db\.before-\d+/.exec(block) ?? [];
    if (copy !== undefined) await awards(['backup', shell.at('var/lib/film-awards', copy), '--db', db]);
    // Litestream or sqlite3_rsync writes it.
    if (block.includes('--db /var/lib/film-awards/copy.db'))
      copyFileSync(shell.at('var/lib/film-awards', latestBackup()), shell.at('var/lib/film-awards/copy.db'));
    outputs.push(await shell.run(block, { [wholeRecord]: record }));
  }
  const output = outputs.join('');
  expect(output).toMatch(/fa_\w+/);
  expect(output).toContain('restore drill passed');
  expect(output).toMatch(/restored from .*before-/);
  expect(textOf('docs/systemd.md')).toContain(`awards.db.before-${migrations.length}\n`);
  expect(textOf('deploy/film-awards-backup.service')).toContain('-mtime +30 -delete');
  expect(readFileSync(shell.at('etc/film-awards.env'), 'utf8')).toBe(
    'AWARDS_ORIGIN=https://awards.example\n',
  );
  expect(readdirSync(shell.at('etc/systemd/system')).sort()).toEqual([
    ...['film-awards-backup.service', 'film-awards-backup.timer', 'film-awards.service'],
  ]);
});

it('a standby with a copy of the pages has all writes before the copy; a restore keeps it from giving ids again', async () => {
  const key = 'a-key-for-the-standby-test';
  await awards(['import', record, '--db', shell.db]);
  const run = async (db: string, out: string) => {
    const words = ['serve', '--port', '0', '--db', db, '--out', out, '--no-downloads'];
    const child = startAwards(words, { AWARDS_API_KEY: key });
    const outcome = outcomeOf(child);
    const origin = await addressOf(child);
    const add = async (title: string) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const body = JSON.stringify({ title });
      const answer = await fetch(`${origin}/api/movies`, { method: 'POST', headers, body });
      return [answer.status, ((await answer.json()) as { id: number }).id] as const;
    };
    const titleOf = async (id: number) =>
      ((await (await fetch(`${origin}/api/movies/${id}`)).json()) as { title?: string }).title;
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await outcome;
    };
    return { add, titleOf, end };
  };
  const [copy, standby] = [shell.at('copy.db'), shell.at('standby')];
  const first = await run(shell.db, shell.out);
  const [, copied] = await first.add('Before the copy');
  // What sqlite3_rsync and a replica of Litestream hold: the pages of one moment.
  const connection = new Database(shell.db, { readonly: true });
  await connection.backup(copy);
  connection.close();
  const [status, lost] = await first.add('After the copy');
  expect([status, lost]).toEqual([201, copied + 1]);
  await first.end('SIGKILL');
  const second = await run(copy, standby);
  expect(await second.titleOf(copied)).toBe('Before the copy');
  expect(await second.titleOf(lost)).toBe('No such record');
  expect(await second.add('Of the standby')).toEqual([201, lost]);
  await second.end('SIGTERM');
  // Taken over by a restore, it gives none of them again, and does not replace what is live.
  const [backup, restored, out] = [shell.at('taken-over.db'), shell.at('restored.db'), shell.at('restored')];
  await awards(['backup', backup, '--db', copy]);
  await awards(['restore', backup, '--db', restored]);
  const third = await run(restored, out);
  expect((await third.add('Of the restored'))[1]).toBeGreaterThan(lost + 1);
  await third.end('SIGTERM');
  const publish = async (...words: string[]) => {
    expect((await awards(['build', ...words, '--no-downloads'])).code).toBe(0);
    const target = ['--to', shell.at('site'), '--pages', 'none', '--no-by-imdb'];
    return (more: string[] = []) => awards(['publish', ...words, ...target, ...more]);
  };
  const [publishFirst, publishRestored] = [
    await publish('--db', shell.db, '--out', shell.out),
    await publish('--db', restored, '--out', out),
  ];
  expect((await publishFirst()).code).toBe(0);
  const refused = await publishRestored();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--force')]);
  expect((await publishRestored(['--force'])).code).toBe(0);
});

it('the restore drill passes for a good backup alone, and leaves nothing behind', async () => {
  const folder = shell.at('backups');
  const backup = join(folder, 'awards-2026-11-27.db');
  const made = await awards(['backup', backup, '--db', inject('sample').db]);
  expect(made.code).toBe(0);
  const drill = (...words: string[]) =>
    promisify(execFile)(join(project, 'deploy/restore-drill.sh'), words, { env: shell.environment }).then(
      ({ stdout }) => stdout,
      ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
    );
  expect(await drill(folder)).toMatch(
    /equal to a clean build[^\n]*\nthe service answers: 1352 nominations\nrestore drill passed: .*27\.db\n$/,
  );
  expect(await drill(shell.at('none.db'))).toMatch(/^1: restore drill failed: there is no file/);
  expect(await drill(shell.at('tmp'))).toMatch(/^1: restore drill failed: .* has no awards-\*\.db/);
  const old = new Date(Date.now() - 5 * 24 * 60 * 60 * 1000);
  utimesSync(backup, old, old);
  expect(await drill(folder)).toMatch(/^1: restore drill failed: .* is older than 2 days/);
  truncateSync(backup, 100_000);
  expect(await drill(folder, '9')).toMatch(/^1: [\s\S]*restore drill failed: .* was not restored/);
  expect(readdirSync(shell.at('tmp'))).toEqual([]);
  expect(existsSync(backup)).toBe(true);
});
