/** The examples read what is served, as their README says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startStaticHost } from '../support/static-host.ts';
import type { Loopback } from '../support/loopback.ts';
import { outcomeOf, startNode } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RunningService, startService } from '../support/running-service.ts';

describe('the example', () => {
  const folder = join(project, 'examples');
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  /** Name → words before its path. */
  const commands = new Map(
    [...readme.matchAll(/`node ([^`]*?)examples\/([\w-]+)\.mjs/g)].map(([, options = '', name = '']) => [
      name,
      options.split(' ').filter(Boolean),
    ]),
  );
  let service: RunningService;
  let host: Loopback;
  let database: Database.Database;
  beforeAll(async () => {
    const { out } = inject('sample');
    service = await startService(out);
    host = await startStaticHost(out);
    database = new Database(join(out, 'downloads/awards.sqlite'), { readonly: true });
  });
  afterAll(async () => {
    database.close();
    await host.stop();
    await service.stop();
  });
  const rows = (sql: string): unknown[][] => database.prepare<[], unknown[]>(sql).raw().all();
  const origin = () => `http://127.0.0.1:${service.port}`;

  /** The lines that an example prints. */
  async function printed(name: string, ...words: string[]): Promise<string[]> {
    const program = startNode([...commands.get(name)!, join(folder, `${name}.mjs`), ...words]);
    const { code, stdout, stderr } = await outcomeOf(program);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('undefined');
    return stdout.trimEnd().split('\n');
  }

  it('is listed in the README', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
    expect([...commands.keys()].map((name) => `${name}.mjs`).sort()).toEqual(names.sort());
  });

  it('fetch.mjs prints all winners of a category, and a 304', async () => {
    const winners = rows(
      `SELECT nominee FROM nominations_listed WHERE winner AND category = 'Actress in a Leading Role' ORDER BY id`,
    );
    const lines = await printed('fetch', origin());
    expect([lines.length, lines.at(-1)]).toEqual([winners.length + 1, 'asked again: 304']);
    for (const [nominee] of winners) expect(lines.join('\n')).toContain(` ${nominee as string} – `);
  });

  it('client.mjs prints a search, a ranking, a count and an error', async () => {
    const [[dramas] = []] = rows(
      `SELECT count(*) FROM movies WHERE EXISTS (SELECT * FROM json_each(genres) WHERE lower(value) = 'drama')`,
    );
    const lines = await printed('client', origin());
    expect(lines).toHaveLength(8);
    expect(lines.slice(6)).toEqual([`dramas: ${dramas as number}`, 'an error: 404 no-such-record']);
  });

  it('notebook.mjs answers its questions from the download', async () => {
    const lines = await printed('notebook', database.name);
    const countsAt = async (target: string) =>
      JSON.parse((await service.ask(target)).body.toString()) as {
        data: { title: string; counts: { entries: number; wins: number } }[];
      };
    const { data: ceremonies } = await countsAt('/api/ceremonies?include=counts');
    const nominations = ceremonies.reduce((sum, { counts }) => sum + counts.entries, 0);
    const { data: films } = await countsAt('/api/movies?sort=-entries&limit=3&include=counts');
    for (const { title, counts } of films)
      expect(lines).toContain(`${title} | ${counts.entries} | ${counts.wins}`);
    const decades = lines
      .filter((line) => /^\d{3}0 \| \d+$/.test(line))
      .map((line) => Number(line.split(' | ')[1]));
    expect(decades.reduce((sum, own) => sum + own, 0)).toBe(nominations);
    expect(lines.filter((line) => line.split(' | ').length === 3)).toHaveLength(3);
  });

  it('static-site.mjs makes a page of each ceremony from plain files', async () => {
    const out = temporaryFolder();
    await printed('static-site', host.origin, out);
    const ceremonies = rows('SELECT id FROM ceremonies').map(([id]) => `${id as number}.html`);
    expect(readdirSync(out).sort()).toEqual([...ceremonies, 'index.html'].sort());
    const [[id, nominee] = []] = rows(
      `SELECT ceremony_id, nominee FROM nominations_listed WHERE winner AND nominee NOT GLOB '*[&<>"'']*' ORDER BY id DESC`,
    );
    expect(readFileSync(join(out, `${id as number}.html`), 'utf8')).toContain(`<td>${nominee as string}<td>`);
  });
});
