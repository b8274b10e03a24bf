/** The examples read what is served, as their README says. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type StaticHost, startStaticHost } from '../support/static-host.ts';
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
  /** The paths that the service was asked, in order. */
  const asked: string[] = [];
  let service: RunningService;
  let host: StaticHost;
  let database: Database.Database;
  beforeAll(async () => {
    const { out } = inject('sample');
    service = await startService(out, { listeners: [({ path }) => void asked.push(path)] });
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

  describe('media-server.mjs', () => {
    const films = () =>
      rows(
        `SELECT filmindex_id, title, film_year, wins, entries FROM movies WHERE filmindex_id IS NOT NULL ORDER BY id`,
      );
    /** A file with the ids of all films of the sample, and with as many of films that it lacks. */
    function libraryFile(): { path: string; ids: string[] } {
      const known = films().map(([id]) => id as string);
      const ids = known.flatMap((id, i) => [id, `tt99${i + 1_000_000}`]);
      const path = join(temporaryFolder(), 'library.nfo');
      writeFileSync(path, ids.map((id) => `<uniqueid type="imdb">${id}</uniqueid>\n`).join(''));
      return { path, ids };
    }
    const expected = () =>
      films().map(
        ([id, title, year, wins, entries]) => `${id} ${title} (${year}): won ${wins} of ${entries}`,
      );

    it('prints the awards of a library from the API, with 100 ids a request', async () => {
      const { path, ids } = libraryFile();
      expect(ids.length).toBeGreaterThan(500);
      asked.length = 0;
      expect((await printed('media-server', origin(), path)).sort()).toEqual(expected().sort());
      expect(asked).toEqual(Array.from({ length: Math.ceil(ids.length / 100) }, () => '/api/movies'));
    });

    it('prints the same from plain files: the index, and the file of each film that it lists', async () => {
      const { path } = libraryFile();
      host.asked.length = 0;
      expect((await printed('media-server', host.origin, path)).sort()).toEqual(expected().sort());
      const files = films().map(([id]) => `/by-imdb/${id}.json`);
      expect(host.asked).toEqual(['/api/movies', '/by-imdb/index.json', ...files]);
    });

    it('asks what deploy.md shows', async () => {
      const document = readFileSync(join(project, 'docs/deploy.md'), 'utf8');
      const [, target = ''] = /curl '[^']*?(\/api\/movies\?filmindex_ids=[^']+)'/.exec(document) ?? [];
      const { status, body } = await service.ask(target);
      const { data } = JSON.parse(body.toString()) as { data: object[] };
      const [[id, title, film_year, wins, entries] = []] = films().filter(([own]) => own === 'tt0120338');
      expect([status, data]).toEqual([
        200,
        [
          expect.objectContaining({
            filmindex_id: id,
            title,
            film_year,
            counts: expect.objectContaining({ wins, entries }),
          }),
        ],
      ]);
    });
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
