/**
 * The promise: nothing names an absolute address of this site unless the operator gives its origin. The address at which the
 * service listens is not that of the site.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { originOfLists } from '../../api/contract/layers.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { memoryDatabase } from '../records/databases.ts';
import { readTree } from '../records/tree.ts';
import { build } from '../records/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Where services listen, and the examples of documents. */
const ofNoSite = /https?:\/\/(?:0\.0\.0\.0|127\.0\.0\.1|\[::1?\]|localhost)[^\s"'<]*/g;
const paths = [
  ...[
    '/',
    '/movies',
    '/movies/360-the-shape-of-water',
    '/nominees/1',
    '/ceremonies/98',
    '/categories/1',
    '/songs/1',
    '/honors/1',
  ],
  ...[
    '/nominations?winner=true',
    '/search?q=best',
    '/rankings/top-movies',
    '/compare/movies?ids=1,2',
    '/timeline',
  ],
  ...[
    '/years',
    '/downloads',
    '/docs',
    '/robots.txt',
    '/sitemap.xml',
    '/llms.txt',
    '/lists/index.json',
    '/api',
  ],
  ...[
    '/api/openapi.json',
    '/api/movies?limit=2',
    '/lists/best-picture/winners.rss',
    '/edit',
    '/no-such-page',
  ],
];

/** All that a service answers, by path; MCP is asked for a film. */
async function answersOf({ ask }: RunningService, host: string): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths) {
    const { headers, body } = await ask(path, { headers: { Host: host, Accept: 'text/html' } });
    answers.set(path, `${JSON.stringify(headers)}${body.toString()}`);
  }
  const call = { name: 'film_awards', arguments: { title: 'The Shape of Water' } };
  const { status, body } = await ask('/mcp', {
    method: 'POST',
    headers: {
      Host: host,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  expect(status).toBe(200);
  return answers.set('/mcp', body.toString());
}

const named = (texts: ReadonlyMap<string, string>, pattern: RegExp): string[] =>
  [...texts].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([address]) => `${path} ${address}`));

describe('without an origin', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(inject('sample').out);
  });
  afterAll(() => service.stop());

  it('no built file names one', () => {
    const texts = new Map(
      [...readTree(inject('sample').out)]
        .filter(([path]) => /\.(html|json|rss|atom|xml|txt|webmanifest)$|^_/.test(path))
        .map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
    );
    expect(texts.size).toBeGreaterThan(1000);
    expect(named(texts, ofNoSite)).toEqual([]);
    expect(originOfLists(new OutputFolder(inject('sample').out).layerHead('lists'))).toBeUndefined();
  });

  it('pages have relative addresses, there is no sitemap, and /mcp cites the host that was asked', async () => {
    const answers = await answersOf(service, 'films.example:8080');
    const ofHost = named(answers, /https?:\/\/films\.example[^\s"'<]*/g);
    expect([...named(answers, ofNoSite), ...ofHost.filter((line) => !line.startsWith('/mcp '))]).toEqual([]);
    expect(ofHost).toContainEqual(expect.stringMatching(/^\/mcp http:\/\/films\.example:8080\/movies\/360/));
    expect(answers.get('/movies')).toContain('<link rel="canonical" href="/movies">');
    expect(answers.get('/movies')).not.toContain('og:url');
    expect(answers.get('/robots.txt')).not.toContain('Sitemap');
    expect(await service.ask('/sitemap.xml')).toMatchObject({ status: 404 });
  });

  it('/mcp cites no host that is none', async () => {
    const text = (await answersOf(service, 'a b"/<x>')).get('/mcp');
    expect(text).toContain('/movies/360');
    expect(text).not.toMatch(/https?:\/\/(?!www\.imdb)[^\s"]*\/movies/);
  });
});

it('with an origin files and answers name it alone, also that of this machine', async () => {
  const origin = 'http://127.0.0.1:3000';
  const out = temporaryFolder();
  const connection = memoryDatabase(fillWithSample);
  await build(connection, out, { layers: ['site', 'lists'], origin });
  connection.close();
  const service = await startService(out, { origin });
  const answers = await answersOf(service, 'films.example');
  await service.stop();
  expect(named(answers, /https?:\/\/films\.example/g)).toEqual([]);
  for (const path of [
    '/',
    '/movies/360-the-shape-of-water',
    '/robots.txt',
    '/sitemap.xml',
    '/lists/best-picture/winners.rss',
    '/mcp',
  ])
    expect([path, answers.get(path)!.includes(`${origin}/`)]).toEqual([path, true]);
  expect(originOfLists(new OutputFolder(out).layerHead('lists'))).toBe(origin);
});
