/**
 * Promise: every address of the explorer answers complete HTML, under one address, that readers, crawlers and validators
 * understand. What each kind of page says, links and asks for is in golden-pages.txt. When a page changes on purpose, review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/site/pages.system.test.ts && git diff tests/site/golden-pages.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import jsonld from 'jsonld';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiRoot } from '../../api/contract/answers.ts';
import { commonsOrigin, enrichmentSources } from '../../api/contract/enrichment.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { parameters } from '../../api/contract/parameters.ts';
import { sampleNotice } from '../../api/contract/sample.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { imageOrigins } from '../../build/cli/environment.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { country, date, duration, number, together } from '../../build/site/shared/format.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, inProcess, type RunningService, startService } from '../support/running-service.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { markGiven } from '../records/given.ts';
import { seeded } from '../records/seed.ts';
import {
  explorerFolder,
  hostileTitle,
  type Listed,
  pageKinds,
  pictureOrigin,
  startExplorer,
} from './explorer-site.ts';
import { readableText } from './readable-text.ts';

const origin = 'https://awards.example';
const golden = new URL('./golden-pages.txt', import.meta.url);
let out: string;
let service: RunningService;
/** Kind of page → its HTML. */
const pages = new Map<string, string>();
beforeAll(async () => {
  out = await explorerFolder();
  service = await startExplorer(out, origin);
  for (const [kind, path] of pageKinds) pages.set(kind, (await service.ask(path)).body.toString());
});
afterAll(async () => {
  await service.stop();
  expect(service.failures).toEqual([]);
});

const htmlAt = async (target: string, from = service): Promise<string> => {
  const { headers, body } = await from.ask(target);
  return headers.location === undefined ? body.toString() : htmlAt(headers.location.split('#')[0]!, from);
};
const statusOf = async (target: string, from = service) => [target, (await from.ask(target)).status];
const api = async <T>(target: string): Promise<T> => JSON.parse(await htmlAt(target)) as T;
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
const attributeOf = (html: string, name: string, attribute: string): string | undefined =>
  new RegExp(`<${name} [^>]*${attribute}[^>]*?(?:content|href)="([^"]*)"`).exec(html)?.[1];
/** The text that readers see, without the tags. */
const textOf = (html: string): string => html.replace(/^.*<body>/s, '').replaceAll(/<[^>]*>/g, ' ');

it('every kind of page is as in golden-pages.txt', () => {
  const headOf = (html: string) => {
    const wanted = /<title>.*<\/title>|<meta name="(description|robots)"[^>]*>|<link rel="canonical"[^>]*>/g;
    // What is shared says the same.
    const shown = ['title', 'description', 'url'].map((name) =>
      attributeOf(html, 'meta', `property="og:${name}"`),
    );
    const [, title] = /<title>([^<]*)/.exec(html)!;
    const said = [
      attributeOf(html, 'meta', 'name="description"'),
      attributeOf(html, 'link', 'rel="canonical"'),
    ];
    expect(shown).toEqual([title, ...said]);
    return html
      .replace(/<body.*/s, '')
      .match(wanted)!
      .join('\n');
  };
  /** The home page has the frame of all pages. */
  const linesOf = (kind: string, html: string): string => {
    const shown = (kind === 'home' ? /<body.*<\/body>/s : /<main.*<\/main>/s).exec(html)![0];
    return `${headOf(html)}\n${readableText(shown)}`
      .replaceAll(/SHA-256 [0-9a-f]{64}/g, 'SHA-256 (hash)')
      .replaceAll(/[\d.]+ [KM]?B(ytes)?,/gi, '(size),');
  };
  const text = [...pages].map(([kind, html]) => `=== ${kind}\n${linesOf(kind, html)}\n`).join('');
  if (process.env.AWARDS_UPDATE_GOLDEN) writeFileSync(golden, text);
  expect(text.split(/^=== /m)).toEqual(readFileSync(golden, 'utf8').split(/^=== /m));
});

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // What the renderer of preact writes.
    ...{ 'void-style': 'off', 'attribute-boolean-style': 'off', 'attribute-empty-style': 'off' },
    ...{ 'no-trailing-whitespace': 'off', 'long-title': 'off', 'no-raw-characters': 'off' },
    // The policy of a page forbids style attributes.
    'no-inline-style': ['error', { allowedProperties: [] }],
  },
});

it.each([...pageKinds])(
  'the page of %s is valid HTML with one heading, no inline code and no text of the program',
  async (kind) => {
    const html = pages.get(kind)!;
    const { results } = await validator.validateString(html);
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|href="javascript:/);
    expect(html.match(/<script(?![^>]*(\ssrc=|ld\+json))/g)).toBeNull();
    expect(textOf(html)).not.toMatch(/\b(undefined|null|NaN|Infinity|\[object)\b/);
  },
);

it('HEAD has the headers of GET; a page that is missing is not stored', async () => {
  for (const [target, status, caching] of [
    ['/timeline', 200, 'public, max-age=0, must-revalidate'],
    ['/movies/999999', 404, 'no-store'],
  ] as const) {
    const [get, head] = [await service.ask(target), await service.ask(target, { method: 'HEAD' })];
    expect([get.status, head.status, head.body.length]).toEqual([status, status, 0]);
    expect(head.headers['content-length']).toBe(String(get.body.length));
    expect([target, get.headers['cache-control']]).toEqual([target, caching]);
  }
});

it('no link of a page leads to a redirect or to nothing', async () => {
  const found = [...pages.values()].flatMap((html) => [...html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)]);
  const links = [...new Set(found.map(([, href]) => unescaped(href!)))];
  expect(links.length).toBeGreaterThan(200);
  const statuses = await Promise.all(links.map((link) => statusOf(link)));
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});

it('the structured data of records are things of schema.org for a JSON-LD processor', async () => {
  for (const [kind, type, member] of [
    ['film', 'Movie', 'award'],
    ['person', 'Person', 'award'],
    ['song', 'MusicComposition', 'award'],
    ['ceremony', 'Event', 'workFeatured'],
  ]) {
    const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(pages.get(kind!)!)!;
    const document = { '@context': { '@vocab': 'https://schema.org/' } };
    const documentLoader = async (documentUrl: string) => ({ documentUrl, document });
    const [thing] = await jsonld.expand(JSON.parse(text!) as object, { documentLoader });
    expect(thing!['@type']).toEqual([`https://schema.org/${type}`]);
    expect(thing!['@id']).toBe(origin + pageKinds.find(([own]) => own === kind)![1]);
    expect(thing![`https://schema.org/${member}`]!.length).toBeGreaterThan(0);
  }
});

it('texts of the record stay texts, and only http addresses become links', async () => {
  const [film] = (await api<Listed<{ id: number }>>('/api/movies?title=script')).data;
  const { data } = await api<Listed<{ id: number; homepage: string }>>('/api/nominees?name=randy+newman');
  expect(data.at(-1)!.homepage).toMatch(/^javascript:/);
  for (const target of [
    ...[`/movies/${film!.id}`, '/ceremonies/67-1995', `/search?q=${encodeURIComponent(hostileTitle)}`],
    ...['/nominations?year=1995&movie=script', `/nominees/${data.at(-1)!.id}`, '/movies?title=script'],
    ...[`/honors?recipient=${encodeURIComponent(hostileTitle)}`, '/movies/%3Cscript%3Ealert(1)'],
  ]) {
    const html = await htmlAt(target);
    expect(html, target).not.toMatch(/<script>|<\/script> &|href="javascript:/);
    for (const [, text] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
      JSON.parse(text!);
  }
  expect(await htmlAt(`/movies/${film!.id}`)).toContain('&lt;script>document.title');
});

describe('an address', () => {
  it.each([
    ['/movies/900001', '/movies/900001-first-film'],
    ['/movies/900001-wrong-words?a=b', '/movies/900001-first-film?a=b'],
    ['/movies/900001-first-film/', '/movies/900001-first-film'],
    ['/movies/', '/movies'],
    ['/movies?title=&genre=Drama&sort=', '/movies?genre=Drama'],
    ['/search?q=', '/search'],
    ['/ceremonies/67', '/ceremonies/67-1995'],
    ['/nominations/900003', '/ceremonies/67-1995#category-3'],
    ['/songs/by-year', '/songs'],
    ['/rankings/without-win?yearStart=1980', '/rankings/top-nominees?yearStart=1980&sort=unrewarded'],
  ])('%s leads to %s, and is asked again each time', async (target, location) => {
    const { status, headers } = await service.ask(target);
    expect([status, headers.location, headers['cache-control']]).toEqual([301, location, 'no-cache']);
    const [path, place] = location.split('#');
    const { status: there, headers: others, body } = await service.ask(path!);
    expect([there, place === undefined || body.toString().includes(`id="${place}"`)]).toEqual([200, true]);
    // Else the browser begins a new session there: the focus that was kept for the page is lost.
    const policy = 'cross-origin-opener-policy';
    expect([headers[policy], others[policy]]).toEqual(['same-origin', 'same-origin']);
  });

  it.each([
    ['/movies/999999-gone', 'There is no such film'],
    ['/nominations/999999', 'There is no such nomination'],
    ['/movies/none', 'There is no page at this address'],
    ['/nowhere', 'There is no page at this address'],
    // A browser would take these as the location of a redirect for another host.
    ['//evil.example/', 'There is no page at this address'],
    ['//evil.example?x=', 'There is no page at this address'],
  ])('%s is 404 with a search', async (target, title) => {
    const { status, body } = await service.ask(target, { headers: { accept: 'text/html' } });
    expect(status).toBe(404);
    expect(body.toString()).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
    expect(body.toString()).toContain('<form action="/search">');
  });

  it('with any parameter of the API is a page, and never a failure; it ignores what shapes answers of the API', async () => {
    const choices = seeded('parameters of pages');
    const words = [
      '1',
      '-1',
      '0',
      'x',
      '',
      'true',
      'csv',
      'ndjson',
      'id',
      '-title',
      'details',
      'counts,x',
      '%',
    ];
    const valid = [
      'year',
      'decade',
      'lion',
      '1995',
      '67,1',
      '%CC%81',
      '%00',
      '%F0%9F%8E%AC',
      'a'.repeat(501),
    ];
    // A part of the pairs in each run, drawn by its seed.
    for (const [kind, path] of pageKinds)
      for (const name of Object.keys(parameters).filter(() => choices.chance(0.3))) {
        const query = `${name}=${choices.pick([...words, ...valid])}`;
        const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
        const { status } = await service.ask(target);
        expect([target, status]).toEqual([target, expect.toBeOneOf([200, 301, 404])]);
        expect([kind, target, service.failures]).toEqual([kind, target, []]);
      }
    for (const [, path] of pageKinds.filter(([kind]) => kind !== 'missing record'))
      for (const query of [
        'format=csv',
        'format=ndjson',
        'fields=id',
        'include=counts',
        'by=genre',
        'fuzzy=true',
      ]) {
        const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
        expect([target, await htmlAt(target)]).toEqual([target, await htmlAt(path)]);
      }
  });

  it('with parameters of other sites shows the same page; after the last page it leads there', async () => {
    for (const [target, clean] of [
      ['/movies?genre=Drama&utm_source=t&page=2', '/movies?genre=Drama&page=2'],
      ['/search?q=lion%20king&fbclid=1', '/search?q=lion%20king'],
      ['/years?fbclid=1', '/years'],
    ])
      expect(await htmlAt(target!)).toBe(await htmlAt(clean!));
    for (const target of ['/movies', '/rankings/top-movies', '/search?q=lion']) {
      const beyond = `${target}${target.includes('?') ? '&' : '?'}page=9999`;
      const [, href] = /There is no page [\d,]+\. <a href="([^"]*)">/.exec(await htmlAt(beyond))!;
      expect(await htmlAt(unescaped(href!))).not.toContain('There is no page');
    }
  });

  it.each([
    ['/nominations?year=x', 'from', 'years', 'A year is a number, such as 1994.'],
    [
      '/nominations?yearStart=2000&yearEnd=1990',
      'from',
      'years',
      'The first year, 2000, is after the last one, 1990.',
    ],
    ['/search?q=lion&filmYear=x&yearStart=x', 'from', 'years', 'A year is a number'],
    ['/rankings/top-movies?yearEnd=x', 'to', 'years', 'A year is a number'],
    ['/songs?winner=perhaps', 'winner', 'winner', 'Outcome: choose a value from the list.'],
    ['/movies?sort=size', 'sort', 'sort', 'There is no such order.'],
  ])('%s says at the field what is wrong, in the words of the page', async (target, field, name, fault) => {
    const { status, body } = await service.ask(target);
    const html = body.toString();
    expect(status).toBe(200);
    expect(html).toMatch(
      new RegExp(
        `aria-describedby="filter-${name}-note" aria-invalid[^>]* name="${field}"|name="${field}"[^>]* aria-describedby="filter-${name}-note" aria-invalid`,
      ),
    );
    expect(html).toMatch(new RegExp(`<p class="[^"]*" id="filter-${name}-note">${fault}`));
    expect(html).toMatch(/Correct the marked filters/);
    expect(textOf(html)).not.toMatch(/unknown parameter|yearStart|filmYear/);
  });

  it.each([
    ['/movies?from=1990&to=1994&years=film', '/movies?filmYearStart=1990&filmYearEnd=1994'],
    ['/movies?from=1990&years=ceremony&year=1995', '/movies?yearStart=1990'],
    ['/songs?title=love&to=1994&years=film', '/songs?title=love&filmYearEnd=1994'],
    ['/rankings/top-movies?from=1990', '/rankings/top-movies?yearStart=1990'],
    ['/nominations?years=film', '/nominations'],
    ['/honors?decade=1960', '/honors?yearStart=1960&yearEnd=1969'],
  ])('%s, as a form or a link sends it, leads to %s', async (target, location) => {
    expect((await service.ask(target)).headers.location).toBe(location);
    expect(await statusOf(location)).toEqual([location, 200]);
  });

  it('names each filter that it sets, by names and not by ids, with a link that removes this one alone', async () => {
    const chips = async (target: string) => {
      const [list = ''] = /<ul class="chosen".*?<\/ul>/s.exec(await htmlAt(target)) ?? [];
      const links = list.matchAll(/<a id="chosen-\d" href="([^"]*)">.*?<\/span>(.*?)<span/gs);
      return [...links].map(([, href, text]) => [text, unescaped(href!)]);
    };
    expect(await chips('/nominations?category_ids=23&ceremony_ids=67&winner=true&page=2')).toEqual([
      ['Winners only', '/nominations?category_ids=23&ceremony_ids=67'],
      ['Ceremony: 67th Academy Awards', '/nominations?category_ids=23&winner=true'],
      ['Category: Music (Original Song)', '/nominations?ceremony_ids=67&winner=true'],
    ]);
    expect(await chips('/nominations?yearStart=1990&yearEnd=1999&filmYear=1994')).toEqual([
      ['Held 1990–1999', '/nominations?filmYear=1994'],
      ['Films of 1994', '/nominations?yearStart=1990&yearEnd=1999'],
    ]);
    expect(await chips('/songs?movie=lion&winner=true')).toEqual([
      ['Film: lion', '/songs?winner=true'],
      ['Winners only', '/songs?movie=lion'],
    ]);
    expect(await chips('/movies')).toEqual([]);
  });

  it('of songs lists those that won; of people none of the companies, unless it asks for them', async () => {
    const { pagination } = await api<Listed<unknown>>('/api/songs?winner=true');
    expect(textOf(await htmlAt('/songs?winner=true'))).toContain(` ${pagination.total} songs `);
    const { data } = await api<Listed<{ name: string }>>('/api/nominees?kind=company&limit=100');
    expect(data.length).toBeGreaterThan(0);
    const names = async (target: string) =>
      [...(await htmlAt(target)).matchAll(/<a href="\/nominees\/\d+[^"]*" dir="auto">([^<]*)/g)].map(
        ([, own]) => own!,
      );
    for (const { name } of data) expect(await names('/nominees?limit=100')).not.toContain(name);
    expect((await names('/nominees?kind=company')).length).toBe(Math.min(25, data.length));
  });

  it('leads to the page on which the titles of a letter begin', async () => {
    const html = await htmlAt('/movies?sort=title&limit=10');
    const [, letters] = /aria-label="Letters">(.*?)<\/nav>/s.exec(html)!;
    const links = [...letters!.matchAll(/href="([^"]*)">(.)</g)];
    expect(links.length).toBeGreaterThan(15);
    for (const [, href, letter] of links) {
      const [page, place] = unescaped(href!).split('#');
      const there = await htmlAt(page!);
      const [, title] = new RegExp(`id="${place}".*?dir="auto">([^<]*)`, 's').exec(there)!;
      if (letter !== '#') expect(title!.normalize('NFD')[0]!.toUpperCase()).toBe(letter);
    }
  });
});

it.each([
  ['/search?q=merryl+streep', 'People', 'Meryl Streep'],
  ['/search?q=hakuna', 'Songs', 'Hakuna Matata'],
  ['/search?q=honored+person', 'Honors', 'Honored Person'],
  ['/search?q=best+picture+2018', 'Categories', 'Best Picture'],
  ['/movies/999999-the-lion-king', 'Records with a similar name', 'The Lion King'],
])('the hits at %s are among the %s: %s', async (target, group, name) => {
  const html = await htmlAt(target);
  const [section] = new RegExp(`<section[^>]* aria-label="${group}">.*?</section>`, 's').exec(html)!;
  expect(section).toContain(name);
});

it('a filter by ids names its records, and counts them where they are many', async () => {
  const chipsAt = async (query: string) => textOf(await htmlAt(`/nominations?category_ids=${query}`));
  expect(await chipsAt('23')).toContain('Category: Music (Original Song)');
  expect(await chipsAt('1,2,3,4,5,6,7')).toContain('7 categories');
});

it('a hit has a star where the record has won, and only there', async () => {
  const targets = ['elton', 'best', 'the', 'joint'].map((word) => `/search?part=options&q=${word}`);
  const hits = (await Promise.all(targets.map((target) => htmlAt(target))))
    .flatMap((html) => [
      ...html.matchAll(/<span class="(label[^"]*)".*?<span class="detail">(.*?)<\/span>/gs),
    ])
    .filter(([, , detail]) => !detail!.startsWith('Category'))
    .map(([, label, detail]) => ({
      detail,
      hasStar: label === 'label won',
      hasWon: /\b(won|wins?)\b/i.test(detail!.replace('no win', '')),
    }));
  for (const isExpected of [true, false])
    expect(hits.filter(({ hasStar }) => hasStar === isExpected).length).toBeGreaterThan(2);
  expect(hits.filter(({ hasStar, hasWon }) => hasStar !== hasWon)).toEqual([]);
});

it('a search of too many or too long words says so in plain words; repeated words count once', async () => {
  const words = Array.from({ length: 17 }, (_, at) => `word${at}`);
  const fault = 'A search takes up to 16 different words, and this one has 17. Leave some out.';
  const long = 'A search takes up to 500 characters. Leave some words out.';
  const searches = ['/search?q=', '/search?part=options&q=', '/compare/movies?add='];
  for (const search of searches) {
    expect(textOf(await htmlAt(search + words.join('+')))).toContain(fault);
    expect(textOf(await htmlAt(search + 'a'.repeat(501)))).toContain(long);
    const most = `${words.slice(1).join('+')}+${words.slice(1).join('+')}`;
    for (const accepted of [most, 'a+'.repeat(250), 'a'.repeat(500), 'lion+king+lion+KING'])
      expect(textOf(await htmlAt(search + accepted))).not.toMatch(/A search takes up to/);
  }
  expect(await htmlAt('/search?q=lion+king+lion+king')).toContain('The Lion King');
  const { status } = await service.ask(`/movies/999999-${words.join('-')}`, {
    headers: { accept: 'text/html' },
  });
  expect(status).toBe(404);
});

it('a comparison has the totals of the API, finds people to add, and leaves out those that are removed', async () => {
  const hrefOf = (html: string, text: string) =>
    unescaped(new RegExp(`<a [^>]*href="([^"]*)"[^>]*(?:>|aria-label=")${text}`).exec(html)![1]!);
  const html = await htmlAt('/compare/nominees?ids=244,331');
  expect(html).toMatch(/<h1[^>]*>Meryl Streep and Frances McDormand</);
  const { data } = await api<Listed<{ counts: { entries: number; wins: number } }>>(
    '/api/nominees?ids=244,331&include=counts',
  );
  for (const [name, member] of [
    ['Nominations', 'entries'],
    ['Wins', 'wins'],
  ] as const) {
    const [, row] = new RegExp(`<th scope="row">${name}(.*?)</tr>`, 's').exec(html)!;
    const cells = row!.replaceAll(/<[^>]*>/g, ' ').match(/\d+/g)!;
    expect(cells.map(Number)).toEqual(data.map(({ counts }) => counts[member]));
  }
  const one = hrefOf(html, 'Remove Meryl Streep');
  expect(one).toBe('/compare/nominees?ids=331');
  expect(await htmlAt(`${one}&add=zzzz`)).toContain('No person on record has a name like “zzzz”.');
  const both = hrefOf(await htmlAt(`${one}&add=meryl+streep`), 'Meryl Streep');
  expect(await htmlAt(both)).toMatch(/<h1[^>]*>Frances McDormand and Meryl Streep</);
});

describe('numbers', () => {
  /** Official entries, and those that won. */
  const officialOf = async (filter = '') => {
    const address = `/api/stats/counts?by=decade&official=true${filter}`;
    const { data } = await api<Listed<{ entries: number; wins: number }>>(address);
    return (['entries', 'wins'] as const).map((name) => data.reduce((sum, own) => sum + own[name], 0));
  };

  it('count official entries on the home page and in a ceremony; a tie is two titles', async () => {
    const [entries] = await officialOf();
    expect(textOf(pages.get('home')!)).toContain(`who won: ${entries!.toLocaleString('en')} nominations,`);
    const [own] = await officialOf('&ceremony_ids=67');
    expect(pages.get('ceremony')).toContain(`${own} nominations (1 not official) in 7 categories.`);
    const tie = await htmlAt('/ceremonies/41-1969');
    expect(tie.match(/Won, tie/g)).toHaveLength(2);
    expect(tie).toMatch(/Actress in a Leading Role \(tie\)<\/a><span class="first">/);
    const { data: lost } = await api<Listed<{ id: number }>>('/api/movies?sort=wins&include=counts&limit=1');
    expect(textOf(await htmlAt(`/movies/${lost[0]!.id}`))).not.toMatch(/\b0 wins/);
  });

  it('of lists are the official ones of the API, and the files at the address beside them are offered', async () => {
    for (const target of ['/nominees', '/movies?yearStart=1995&sort=-wins&page=2']) {
      const html = await htmlAt(target);
      const [, address] = new RegExp(`<code>${origin}(/api/[^<]*)</code>`).exec(html)!;
      const { data } = await api<Listed<{ id: number }>>(unescaped(address!));
      const filter = target.startsWith('/movies') ? 'movie_ids' : 'nominee_ids';
      const shown = [
        ...html.matchAll(/<span class="numbers">(?:<span class="won">Won (\d+)<\/span> of )?(\d+)? ?n/gi),
      ];
      expect(shown.map(([, wins = 0, entries = 0]) => [Number(entries), Number(wins)])).toEqual(
        await Promise.all(data.map(({ id }) => officialOf(`&${filter}=${id}`))),
      );
      const [, csv] = /href="([^"]*format=csv[^"]*)"/.exec(html)!;
      const { headers } = await service.ask(unescaped(csv!));
      expect(headers['content-disposition']).toMatch(/^attachment; filename=".*\.csv"/);
    }
  });
});

it('a ranking has the places of the whole on each page; equals share one', async () => {
  const placesAt = async (query: string) =>
    [...(await htmlAt(`/rankings/top-nominees?${query}`)).matchAll(/class="place">(\d+)</g)].map(
      ([, place]) => Number(place),
    );
  const whole = await placesAt('year=1995&sort=wins&limit=30');
  expect([whole[0], new Set(whole).size < whole.length / 3]).toEqual([1, true]);
  for (let page = 1; page <= 10; page += 1) {
    const places = await placesAt(`year=1995&sort=wins&limit=3&page=${page}`);
    expect(places).toEqual(whole.slice(3 * (page - 1), 3 * page));
  }
});

it('a ranking of people has people only; of those without a win, none with one; of films, entries or categories', async () => {
  const { data } = await api<Listed<{ nominee: string }>>('/api/nominations?category=international');
  const people = await htmlAt('/rankings/top-nominees?category=international');
  for (const { nominee } of data) expect(people).not.toContain(`>${nominee}</a>`);
  const wins = (await htmlAt('/rankings/top-nominees?sort=unrewarded')).matchAll(/(\d+) wins?</g);
  expect(new Set([...wins].map(([, own]) => own))).toEqual(new Set(['0']));
  const lionAt = async (more: string) =>
    /The Lion King<\/a>.*?(\d+) nomination/.exec(await htmlAt(`/rankings/top-movies?year=1995${more}`))![1];
  expect([await lionAt(''), await lionAt('&count=categories')]).toEqual(['3', '1']);
});

it('crawlers get robots.txt, llms.txt, and a sitemap of pages that exist, never of the host that a request names', async () => {
  expect(await htmlAt('/robots.txt')).toContain(`\nSitemap: ${origin}/sitemap.xml\n`);
  const summary = await htmlAt('/llms.txt');
  expect(summary).toMatch(/^# Film Awards\n[\s\S]*`\/mcp`/);
  // There are no lists here.
  for (const [, address] of summary.matchAll(/\]\((\/(?!lists)[^)]*)\)/g))
    expect(await statusOf(address!)).toEqual([address, 200]);
  const sitemap = [...(await htmlAt('/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)];
  const paths = sitemap.map(([, address]) => address!.replace(origin, ''));
  const last: string[] = [];
  for (const resource of resourceNames.filter((name) => name !== 'nominations')) {
    const { pagination, count } = await api<Listed<unknown> & { count: number }>(`/api/${resource}`);
    const own = paths.filter((path) => path.startsWith(`/${resource}/`));
    expect([resource, own.length]).toEqual([resource, pagination?.total ?? count]);
    last.push(own.at(-1)!);
  }
  for (const path of [...last, ...paths.filter((own) => !/\d/.test(own))])
    expect(await statusOf(path)).toEqual([path, 200]);
  expect(await statusOf('/sitemap-2.xml')).toEqual(['/sitemap-2.xml', 404]);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  const { body } = await service.ask('/movies/900001-first-film', { headers });
  expect(body.toString()).not.toContain('evil.example');
});

it('a sitemap is made once for each snapshot and origin, whatever its size', async () => {
  let hashed = 0;
  const digest: typeof nodeDigest = (bytes) => {
    hashed += 1;
    return nodeDigest(bytes);
  };
  const source = fileSource(out);
  const file = (path: string) => source.file(path);
  const site = new SitePages({ resolver: new Resolver(source), file, cacheBytes: 0, digest });
  const ask = (path: string, from = origin) => site.answer({ method: 'GET', path, queryString: '' }, from);
  const [first, second] = await Promise.all([ask('/sitemap.xml'), ask('/sitemap.xml')]);
  expect(second).toEqual(first);
  const made = hashed;
  for (const path of ['/sitemap.xml', '/sitemap-1.xml', '/sitemap-2.xml']) await ask(path);
  expect(hashed).toBe(made);
  const other = await ask('/sitemap.xml', 'https://other.example');
  expect(Buffer.from(other!.body!).toString()).toBe(
    Buffer.from(first!.body!).toString().replaceAll(origin, 'https://other.example'),
  );
});

it('a category has all its winners on one page, the awards of a split category by their names and not as ties', async () => {
  for (const id of [1, 2, 9, 23]) {
    const html = await htmlAt(`/categories/${id}`);
    const [, table] = /<section aria-labelledby="winners">(.*?)<\/table>/s.exec(html)!;
    const years = [...table!.matchAll(/<td class="year"><a [^>]*>(\d{4})</g)].map(([, year]) => Number(year));
    const { nominations } = await api<{ nominations: { ceremony_year: number; winner: boolean }[] }>(
      `/api/categories/${id}`,
    );
    const won = nominations.filter(({ winner }) => winner).map(({ ceremony_year }) => ceremony_year);
    expect([id, [...new Set(years)].sort()]).toEqual([id, [...new Set(won)].sort()]);
    expect(years).toEqual(years.toSorted((a, b) => b - a));
  }
});

it('a ceremony to come is announced on the home page, and the last winners stay', async () => {
  const fill = (database: Parameters<typeof fillWithSample>[0]) => {
    fillWithSample(database);
    database.exec(
      "INSERT INTO ceremonies (id, ceremony_year, show_title, date) VALUES (99, 2027, '99th Academy Awards', '2027-03-14')",
    );
  };
  const { connection, out: folder } = await builtFolder(fill, ['site']);
  connection.close();
  const coming = inProcess(folder);
  const text = textOf((await coming.ask('/')).body.toString()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Next: 99th Academy Awards , 14 March 2027. Its winners are not on record yet.');
  expect(text).toContain('The latest ceremony · 15 March 2026 For films of 2025 98th Academy Awards');
  await coming.stop();
});

it('the card of a title has the same shape everywhere, and cards of a decade differ', async () => {
  const cards = ['home', 'timeline', 'ceremony', 'person'].flatMap((kind) => [
    ...pages
      .get(kind)!
      .matchAll(/class="card[^"]* (decade-\d+) (motif-\d)".*?class="card-title[^>]*>([^<]*)/g),
  ]);
  const most = (at: 1 | 3) => {
    const shapes = new Map<string, Set<string>>();
    for (const card of cards) shapes.set(card[at]!, (shapes.get(card[at]!) ?? new Set()).add(card[2]!));
    return Math.max(...[...shapes.values()].map(({ size }) => size));
  };
  expect(most(3)).toBe(1);
  expect(most(1)).toBeGreaterThan(3);
});

it('each ceremony leads to its neighbours at the top', async () => {
  const [nav] = /<nav class="neighbours".*?<\/nav>/s.exec(pages.get('ceremony')!)!;
  expect([...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/timeline',
    '/ceremonies/66-1994',
    '/ceremonies/68-1996',
  ]);
});

it('a category shows the nominations of the decade that its address names', async () => {
  const { data } = await api<Listed<{ id: number }>>('/api/categories');
  const decades = new Map<number, Set<number>>();
  for (const { id } of data) {
    const { nominations } = await api<{ nominations: { ceremony_year: number }[] }>(`/api/categories/${id}`);
    decades.set(id, new Set(nominations.map(({ ceremony_year: year }) => year - (year % 10))));
  }
  const [id, own] = [...decades].find(([, { size }]) => size > 1)!;
  for (const decade of own) {
    const html = await htmlAt(`/categories/${id}?decade=${decade}`);
    expect(html).toContain(`Nominations of the ${decade}s`);
    const years = [...html.matchAll(/<h3><a [^>]*>(\d{4})<\/a>/g)].map(([, year]) => Number(year));
    expect(new Set(years.map((year) => year - (year % 10)))).toEqual(new Set([decade]));
  }
});

it('a song names its writers once: in the table, and not above it', async () => {
  const { data } = await api<Listed<{ id: number; artist_names: string }>>('/api/songs?limit=100');
  expect(data.length).toBeGreaterThan(3);
  for (const { id, artist_names } of data)
    expect(await htmlAt(`/songs/${id}`)).not.toContain(`<p class="tally">${artist_names}</p>`);
});

it('a person has the age at the first nomination, which is about right', async () => {
  const { connection, out: folder } = await builtFolder(fillWithTinyRecord, ['site']);
  connection.close();
  const tiny = inProcess(folder);
  // Born in 1900.
  const { headers } = await tiny.ask('/nominees/1');
  const { body } = await tiny.ask(headers.location!);
  expect(textOf(body.toString())).toContain('1929, about 29 years old');
  await tiny.stop();
});

it('a changed filter begins at the first page: the form sends no page', async () => {
  const form = /<form class="filters".*?<\/form>/s.exec(await htmlAt('/movies?sort=-wins&page=2'))![0];
  expect(form).toMatch(/name="sort"/);
  expect(form).not.toMatch(/name="page"/);
});

it('the page of the downloads shows the files that are there, also under one snapshot', async () => {
  const source = fileSource(out);
  let size = 1_000_000;
  const file = async (path: string) => {
    if (path !== 'downloads/index.json') return source.file(path);
    const index = Buffer.from((await source.file(path)) ?? '').toString();
    return Buffer.from(index.replace(/"bytes":\d+/, `"bytes":${size}`));
  };
  const cached = new SitePages({ resolver: new Resolver(source), file, cacheBytes: 1e8, digest: nodeDigest });
  const shown = async () => {
    const answer = await cached.answer({ method: 'GET', path: '/downloads', queryString: '' }, origin);
    return Buffer.from(answer!.body!).toString();
  };
  const before = await shown();
  expect(await shown()).toBe(before);
  size = 777_000_000;
  expect(await shown()).toContain('777 MB');
});

it('a snapshot that cannot be read is a page that says so, and which nothing stores', async () => {
  const source = fileSource(out);
  const file = (path: string) => source.file(path);
  const resolver = new Resolver({ file, shard: async () => undefined });
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const failing = new SitePages({ resolver, file, cacheBytes: 1e6, digest: nodeDigest, onError });
  const request = { method: 'GET', path: '/movies', queryString: '' };
  const { status, headers, body } = (await failing.answer(request, origin))!;
  expect([status, headers['Cache-Control'], headers['Retry-After']]).toEqual([503, 'no-store', '2']);
  expect(Buffer.from(body!).toString()).toMatch(/noindex(.|\n)*<h1[^>]*>The record cannot be read<\/h1>/);
  expect(failures).toHaveLength(1);
});

it('pictures come from the hosts that the operator allows, and from no other', async () => {
  const { headers, body } = await service.ask('/movies/900001-first-film');
  const policy = `img-src 'self' data: ${pictureOrigin} ${commonsOrigin};`;
  expect(headers['content-security-policy']).toContain(policy);
  expect(readFileSync(`${out}/_headers`, 'utf8')).toContain(policy);
  expect(body.toString()).toContain(`src="${pictureOrigin}/first.png"`);
  expect(await htmlAt('/movies/900002')).not.toContain('<img');
  const portrait = await htmlAt('/nominees/1120');
  expect(portrait).toContain('alt="Portrait of Joint One" width="160" height="160"');
  expect(portrait).toMatch(
    /href="https:\/\/commons\.wikimedia\.org\/wiki\/File:A%20B\.jpg"[^>]*>Image: Wikimedia Commons</,
  );
  expect(await htmlAt('/nominees/1121')).toContain('alt="Logo of Joint Two"');
  // Addresses of images at Commons lead to another host.
  expect(imageOrigins(commonsOrigin)).toEqual([commonsOrigin, 'https://upload.wikimedia.org']);
  const allowed = ['https://a.example', 'https://b.example:8443'];
  expect(imageOrigins(` ${allowed.join(', ')},https://a.example`)).toEqual(allowed);
  for (const text of [
    ...['http://a.example', 'a.example', 'https://a.example/', 'https://a.example/path', "'self'"],
    ...["https://a.example;script-src'unsafe-inline'", 'https://user@a.example', 'https://*.example'],
  ])
    expect(() => imageOrigins(`https://b.example,${text}`)).toThrow(`"${text}" is not an origin`);
});

it('over the sample every page and the root of the API say so, with the terms of its sources and addresses that exist', async () => {
  const fill = (database: Parameters<typeof fillWithSample>[0]) => {
    fillWithSample(database);
    database.exec("UPDATE movies SET poster_path = 'https://posters.example/1.png' WHERE id = 1");
    markGiven(database, 'movies', 1, ['poster_path'], 'tmdb');
  };
  const { connection, out: folder } = await builtFolder(fill, ['site']);
  connection.close();
  const sample = await startService(folder);
  for (const [kind, path] of pageKinds) {
    expect(await htmlAt(path.replace('900001', '1'), sample), kind).toContain(sampleNotice);
    expect(pages.get(kind)).not.toContain('sample');
  }
  expect(await htmlAt('/', sample)).toContain(enrichmentSources.tmdb.notice);
  const root = JSON.parse(await htmlAt('/api', sample)) as ApiRoot;
  expect([root.sample, root.notice]).toEqual([true, sampleNotice]);
  const { resources, rankings, counts, openapi, documentation, manifest } = root;
  for (const address of [
    ...[...Object.values(resources), ...Object.values(rankings), `${counts}?by=year`],
    ...[openapi, documentation, manifest, '/api/'],
  ])
    expect(await statusOf(address, sample)).toEqual([address, 200]);
  await sample.stop();
});

it.each([
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [194, '3 h 14 min'],
])('a film of %i minutes runs %s', (minutes, text) => {
  expect(duration(minutes)).toBe(text);
});

it('numbers, dates and lists are written as Intl writes them in British English, and countries by their names', () => {
  const locale = 'en-GB';
  const [numbers, lists] = [new Intl.NumberFormat(locale), new Intl.ListFormat(locale)];
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const dates = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.oneof(fc.maxSafeNat(), fc.nat(20_000)),
      dates,
      fc.array(fc.string()),
      (value, day, texts) => {
        expect(number(value)).toBe(numbers.format(value));
        expect(date(day.toISOString().slice(0, 10))).toBe(days.format(day));
        expect(together(texts)).toBe(lists.format(texts));
      },
    ),
  );
  for (const [code, name] of Object.entries({
    ...{ US: 'United States', 'Soviet Union': 'Soviet Union', SU: 'Soviet Union', CS: 'Czechoslovakia' },
    ...{ YU: 'Yugoslavia', DD: 'East Germany', CSHH: 'Czechoslovakia', XC: 'Czechoslovakia' },
    CSXX: 'Serbia and Montenegro',
  }))
    expect(country(code)).toBe(name);
});

it('the page of each kind of record names its document in the API as another form of it', async () => {
  for (const resource of resourceNames.filter((own) => own !== 'nominations')) {
    const { data } = await api<{ data: { id: number }[] }>(`/api/${resource}?limit=1`);
    if (data.length === 0) continue;
    const html = await htmlAt(`/${resource}/${data[0]!.id}`);
    const address = attributeOf(html, 'link', 'rel="alternate" type="application/json"');
    expect(address).toBe(`/api/${resource}/${data[0]!.id}`);
    expect(await api(address!)).toMatchObject({ id: data[0]!.id });
  }
  for (const path of ['/', '/movies', '/movies/999999'])
    expect(await htmlAt(path), path).not.toContain('rel="alternate" type="application/json"');
});

it('the catalog of APIs names the API, its description and its documentation, which the service answers', async () => {
  const path = '/.well-known/api-catalog';
  const { linkset } = await api<{ linkset: Record<string, string | { href: string; type: string }[]>[] }>(
    path,
  );
  const [{ anchor, ...links } = {}] = linkset;
  expect(linkset).toHaveLength(1);
  expect(Object.keys(links)).toEqual(['service-desc', 'service-doc']);
  expect(await statusOf(anchor as string)).toEqual(['/api', 200]);
  for (const { href, type } of Object.values(links).flat() as { href: string; type: string }[]) {
    const { status, headers } = await service.ask(href);
    expect([href, status, headers['content-type']?.split(';')[0]]).toEqual([href, 200, type]);
  }
  const root = await service.ask('/api');
  for (const [relation, [target]] of Object.entries(links) as [string, { href: string; type: string }[]][])
    expect(root.headers.link).toContain(`<${target!.href}>; rel="${relation}"; type="${target!.type}"`);
  // RFC 9727: HEAD tells the relation.
  const { status, headers } = await service.ask(path, { method: 'HEAD' });
  expect([status, headers.link]).toEqual([200, `<${path}>; rel="api-catalog"`]);
});
