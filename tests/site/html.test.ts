/** Promise: every address of the explorer answers complete HTML, under one address, that crawlers and validators understand. */
import { HtmlValidate } from 'html-validate';
import jsonld from 'jsonld';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { explorerFolder, type Listed, songsOf2021, viewAddresses } from './explorer-site.ts';

const origin = 'https://awards.example';
let service: RunningService;
/** The address of the page of a record of each kind. */
let records: readonly string[];
/** An address of every kind of page. */
let addresses: readonly string[];
beforeAll(async () => {
  service = await startService(await explorerFolder(), { origin: () => origin });
  records = await Promise.all(
    resourceNames.map(async (resource) => {
      const { data } = await api<Listed<{ id: number }>>(`/api/${resource}?limit=2`);
      const short = `/${resource}/${data[0]!.id}`;
      return (await pageAt(short)).location ?? short;
    }),
  );
  addresses = [...others, ...records];
});
afterAll(async () => {
  await service.stop();
  expect(service.failures).toEqual([]);
});

async function pageAt(
  target: string,
): Promise<{ status: number; html: string; location: string | undefined }> {
  const { status, headers, body } = await service.ask(target);
  return { status, html: body.toString(), location: headers.location };
}

const api = async <T>(target: string): Promise<T> =>
  JSON.parse((await service.ask(target)).body.toString()) as T;

/** The page at an address, or the one that it leads to. */
async function htmlAt(target: string): Promise<string> {
  const { html, location } = await pageAt(target);
  return location === undefined ? html : htmlAt(location);
}

/** The page of the first record that a list has. */
async function firstOf(resource: ResourceName, query: string): Promise<string> {
  const { data } = await api<Listed<{ id: number }>>(`/api/${resource}?${query}`);
  return htmlAt(`/${resource}/${data[0]!.id}`);
}

const others = [
  ...viewAddresses,
  '/movies',
  '/movies?sort=-entries&page=2',
  '/nominations',
  '/search?q=lion+king',
  '/search?q=zzzz',
];

const elementsOf = (html: string, name: string, attribute: string): string | undefined =>
  new RegExp(`<${name} [^>]*${attribute}[^>]*?(?:content|href)="([^"]*)"`).exec(html)?.[1];

it('the page of a search says once that nothing was found', async () => {
  for (const target of ['/search?q=zzzz', '/search?q=zzzz&winner=true']) {
    const html = await htmlAt(target);
    expect(html, target).toContain('Nothing has a name like “zzzz”.');
    expect(html, target).not.toContain('match these filters');
  }
  const other = await htmlAt('/search?q=golden+globes');
  expect(other).toContain('The record has the Academy Awards only.');
  expect(other).not.toContain('Nothing has a name like');
});

it('the list of ceremonies leads to the films that won Best Picture', async () => {
  expect(await htmlAt('/ceremonies')).toMatch(/<a href="\/timeline"[^>]*>Best Picture, year by year/);
});

it('the editor without a program leads to the reference', async () => {
  const [, target] = /<noscript>.*<a href="([^"]*)".*<\/noscript>/.exec(await htmlAt('/edit'))!;
  expect(await htmlAt(target!)).toContain('API reference</h1>');
});

describe('the page of a film', () => {
  it('has its title, tally and nominations without a program', async () => {
    const { status, html } = await pageAt('/movies/900001-first-film');
    expect(status).toBe(200);
    expect(html).toContain('<title>First Film · Film Awards</title>');
    expect(html).toMatch(/<h1[^>]*>First Film<\/h1>/);
    expect(html).toContain('2 nominations (1 not official) · <strong class="won">1 win</strong></p>');
    for (const text of ['Joint One', 'as The Lead', 'Joint Two', 'Rival Three', 'Not an official nomination'])
      expect(html).toContain(text);
    expect(html).toContain('<form action="/search">');
  });

  it('has its own year in lists and searches, and not that of its ceremony', async () => {
    for (const target of ['/movies?title=lion+king', '/search?q=lion+king'])
      expect(await htmlAt(target), target).toContain('1994 · 3 nominations');
  });

  it('has its nominations in the order of the categories, with songs beneath them', async () => {
    const html = await firstOf('movies', 'title=junior');
    const categories = [...html.matchAll(/<td class="category"><a [^>]*href="\/categories\/(\d+)/g)];
    const ids = categories.map(([, id]) => Number(id));
    expect(ids).toEqual([1, 23]);
    expect(html.match(/<td class="category">.*?<span class="remark"><a class="song"/g)).toHaveLength(1);
  });

  it('has the name of a category at the time, and what the source notes', async () => {
    const html = await htmlAt('/movies/900001-first-film');
    for (const text of ['called Art Direction (Color) at the time', 'The winner refused the award.'])
      expect(html).toContain(text);
    expect(html.match(/<td class="category">/g)).toHaveLength(2);
    const nomination = await htmlAt('/nominations/900003');
    for (const text of [
      'Role</dt><dd>The Rival',
      'This is not an official nomination.',
      'Write-in candidate.',
    ])
      expect(nomination).toContain(text);
  });

  it('counts each of its songs as a nomination', async () => {
    const html = await firstOf('movies', 'title=lion+king');
    expect(html).toContain('3 nominations · <strong class="won">1 win</strong>');
    expect(html.match(/<a class="song"/g)).toHaveLength(3);
  });

  it('leads from the outcome of a shared nomination to its category at the ceremony', async () => {
    const html = await htmlAt('/movies/900001-first-film');
    const [, path, fragment] = /<a class="outcome won" href="([^"#]*)#([^"]*)">Won</.exec(html)!;
    expect(path).toBe('/ceremonies/67-1995');
    expect(await htmlAt(path!)).toContain(`<h2 id="${fragment}">`);
  });

  it('says in its head what it is and where it belongs', async () => {
    const html = await htmlAt('/movies/900001-first-film');
    const address = `${origin}/movies/900001-first-film`;
    expect(elementsOf(html, 'link', 'rel="canonical"')).toBe(address);
    expect(elementsOf(html, 'meta', 'property="og:url"')).toBe(address);
    expect(elementsOf(html, 'meta', 'property="og:title"')).toBe('First Film · Film Awards');
    expect(elementsOf(html, 'meta', 'name="description"')).toMatch(/^First Film: 2 nominations and 1 win/);
  });

  it.each([
    ['/', 'share.png'],
    ['/movies', 'share.png'],
    ['/movies/900001-first-film', 'share-movies.png'],
    ['/nominees/1', 'share-nominees.png'],
    ['/ceremonies/67-1995', 'share-ceremonies.png'],
    ['/categories/3', 'share-categories.png'],
    ['/songs/1', 'share-songs.png'],
  ])('%s is shared with a picture of its kind', async (path, file) => {
    const picture = elementsOf(await htmlAt(path), 'meta', 'property="og:image"')!;
    expect(picture).toBe(`${origin}/${file}`);
    const { status, headers } = await service.ask(picture.slice(origin.length));
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  });
});

it('the page of a song does not repeat it beside its film', async () => {
  expect(await firstOf('songs', 'title=hakuna')).toMatch(
    /<td class="film"><span><a class="title"[^>]*>The Lion King</,
  );
});

it('songs by film year stand below their own ceremony where two ceremonies share a film year', async () => {
  const html = await htmlAt('/songs/by-year');
  const sections = [...html.matchAll(/<section .*?<\/section>/gs)].map(([text]) => text);
  for (const [title, year, song] of [
    ['Films of 2020–2021', 2021, songsOf2021[93]],
    ['Films of 2021', 2022, songsOf2021[94]],
  ] as const) {
    const own = sections.find((text) => text.includes(`>${title}</h2>`))!;
    expect(own).toContain(`>ceremony of ${year}</a>`);
    expect(own).toContain(song);
    expect(own.match(/<tr class="won"/g)).toHaveLength(1);
  }
});

describe('a search', () => {
  it('has its words in the titles and in the search field', async () => {
    const html = await htmlAt('/search?q=lion+king');
    expect(html).toContain('<title>lion king · Search · Film Awards</title>');
    expect(html).toMatch(/<h1[^>]*>“lion king”<\/h1>/);
    expect(html).toMatch(/<input type="search"[^>]* value="lion king"/);
  });

  it('for a category has its nominations, the latest first', async () => {
    const html = await htmlAt('/search?q=best+picture');
    const years = [...html.matchAll(/<td class="year"><a [^>]*>(\d{4})</g)].map(([, year]) => Number(year));
    expect(years.length).toBeGreaterThan(10);
    expect(years).toEqual(years.toSorted((a, b) => b - a));
  });

  it('for a decade has its nominations, in the order that is asked for', async () => {
    const yearsAt = async (target: string) =>
      Array.from((await htmlAt(target)).matchAll(/href="\/ceremonies\/[^"]*"[^>]*>(\d{4})</g), ([, year]) =>
        Number(year),
      );
    const [latest, earliest] = [await yearsAt('/search?q=80s'), await yearsAt('/search?q=80s&sort=year')];
    expect(new Set(latest)).toContain(1989);
    expect(latest).toEqual(latest.toSorted((a, b) => b - a));
    expect(new Set(earliest)).toContain(1980);
    expect(earliest).toEqual(earliest.toSorted((a, b) => a - b));
  });

  it('for the year of two ceremonies has the nominations of both', async () => {
    const html = await htmlAt('/search?q=best+picture+1930');
    expect(html).toContain('href="/ceremonies/2-1930');
    expect(html).toContain('href="/ceremonies/3-1930');
  });

  it('without words invites to search, and reports nothing', async () => {
    const html = await htmlAt('/search');
    expect(html).toContain('Type the name of a film');
    expect(html).toContain('<a href="/search?q=best+actress+1990">best actress 1990</a>');
    expect(html).not.toContain('class="fault"');
  });
});

describe('a page after the last one', () => {
  it.each([
    '/movies?sort=-entries&page=99999',
    '/rankings/without-win?page=9999',
    '/rankings/top-movies?page=9999',
    '/search?q=best+picture&page=9999',
  ])('%s leads to the last one', async (target) => {
    const html = await htmlAt(target);
    const [, page, href] = /There is no page ([\d,]+)\. <a href="([^"]*)">Go to the last page/.exec(html)!;
    expect(page).toBe(target.endsWith('99999') ? '99,999' : '9,999');
    const { html: last } = await pageAt(href!.replaceAll('&amp;', '&'));
    expect(last).not.toContain('There is no page');
    expect(last).toMatch(/rel="prev"/);
    expect(last).not.toMatch(/rel="next"/);
  });
});

describe('a ranking', () => {
  it.each([
    ['/rankings/top-movies', 'Most nominated films', 'nominations'],
    ['/rankings/top-movies?sort=wins', 'Films with the most wins', 'wins'],
    ['/rankings/top-movies?sort=wins&count=categories', 'Films with the most wins', 'wins'],
    ['/rankings/top-nominees?sort=wins&limit=10&page=2', 'People with the most wins', 'wins'],
  ])('%s is called “%s” and shows places, which equals share', async (target, title, by) => {
    const html = await htmlAt(target);
    expect(html).toContain(`<title>${title} · Film Awards</title>`);
    expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
    const shown = [...html.matchAll(/class="place">(\d+)<.*?(\d+) nominations?<.*?(\d+) wins?</g)].map(
      ([, place, nominations, wins]) => [Number(place), Number(by === 'wins' ? wins : nominations)] as const,
    );
    expect(shown.length).toBeGreaterThanOrEqual(10);
    const before = target.includes('page=2') ? 10 : 0;
    if (before === 0) expect(shown[0]![0]).toBe(1);
    for (const [i, [place, total]] of shown.entries())
      if (i > 0) {
        const [placeBefore, totalBefore] = shown[i - 1]!;
        expect(place).toBe(total === totalBefore ? placeBefore : before + i + 1);
      }
  });
});

it('a ranking tells how many lead, however many a page shows', async () => {
  const leaders = async (limit: number) => {
    const html = await htmlAt(`/rankings/top-nominees?year=1995&sort=wins&limit=${limit}`);
    return /class="total" role="status">([^<]*)</.exec(html)![1];
  };
  const all = await leaders(100);
  expect(all).toMatch(/and \d+ others lead with/);
  for (const limit of [1, 2, 10]) expect(await leaders(limit)).toBe(all);
});

it('the pages of a ranking have the places of the whole ranking, ties across pages too', async () => {
  const placesAt = async (more: string) => {
    const html = await htmlAt(`/rankings/top-nominees?year=1995&sort=wins&${more}`);
    return [...html.matchAll(/class="place">(\d+)</g)].map(([, place]) => Number(place));
  };
  const whole = await placesAt('limit=30');
  expect(new Set(whole).size).toBeLessThan(whole.length / 3);
  for (let page = 1; page <= 10; page += 1)
    expect(await placesAt(`limit=3&page=${page}`)).toEqual(whole.slice(3 * (page - 1), 3 * page));
});

it('a ranking of the API, of which no more is known, does not count those behind its last one', async () => {
  const films = '/rankings/top-movies?count=categories&year=1995';
  for (const [more, total] of [
    ['&limit=1', /role="status">[^<]+ has \d+ nominations?\.</],
    ['&limit=1&page=2', /role="status">[^<]+ has \d+ nominations?\.</],
    ['&official=false', /role="status">All of these have 1 nomination\.</],
  ] as const)
    expect(await htmlAt(films + more)).toMatch(total);
});

it('a ranking offers an address of the API only where the API counts as the page does', async () => {
  for (const target of ['/rankings/top-movies', '/rankings/top-nominees?page=2'])
    expect(await htmlAt(target), target).not.toContain('the rows of this page');
  const html = await htmlAt('/rankings/top-movies?count=categories');
  const [, address] = new RegExp(`<code>${origin}(/api/[^<]*)</code>`).exec(html)!;
  const { data } = await api<Listed<{ movie_id: number }>>(address!);
  const shown = [...html.matchAll(/class="place">\d+<\/span><a href="\/movies\/(\d+)/g)];
  expect(shown.map(([, id]) => Number(id))).toEqual(data.map(({ movie_id }) => movie_id));
});

it('a search whose words are only found apart offers similar words that nominations have', async () => {
  const html = await htmlAt('/search?q=directng+coppola');
  expect(html).toContain('No film, person or song has all these words. Did you mean ');
  expect(html).toContain('<a href="/search?q=directing+coppola">directing coppola</a></span>? Those below');
  expect(await htmlAt('/search?q=directing+coppola')).toContain('<table class="nominations');
});

it.each(['/movies?sort=-wins', '/nominees'])(
  'the address of the API at %s has the counts that the rows show',
  async (target) => {
    const html = await htmlAt(target);
    const [, address] = new RegExp(`<code>${origin}(/api/[^<]*)</code>`).exec(html)!;
    const { data } = await api<Listed<{ counts: { entries: number; wins: number } }>>(
      address!.replaceAll('&amp;', '&'),
    );
    const shown = [...html.matchAll(/(\d+) nominations?(?:<span class="won"> · (\d+) wins?)?/g)];
    expect(shown.map(([, entries, wins = 0]) => ({ entries: Number(entries), wins: Number(wins) }))).toEqual(
      data.map(({ counts: { entries, wins } }) => ({ entries, wins })),
    );
  },
);

it.each([
  ['films', 'movies', 'top-movies'],
  ['people', 'nominees', 'top-nominees'],
])('the home page has the %s of the ranking, in its order', async (_, resource, ranking) => {
  const pattern = new RegExp(`class="place">(\\d+)</span><a href="(/${resource}/[^"]*)"`, 'g');
  const placed = async (path: string) =>
    [...(await htmlAt(path)).matchAll(pattern)].map(([, place, href]) => [place, href]);
  const onHome = await placed('/');
  expect(onHome).toHaveLength(5);
  expect(onHome).toEqual((await placed(`/rankings/${ranking}`)).slice(0, 5));
});

it('a nomination for several films shows the role in each', async () => {
  const html = await htmlAt('/ceremonies/67-1995');
  expect(html).toContain('<span class="role"> as The Rival and The Other Rival</span>');
});

it('the page of a person has one row for each nomination, with all its films', async () => {
  const html = await firstOf('nominees', 'name=rival+three');
  const [, tally] = /<p class="tally">(\d+) nominations?/.exec(html)!;
  const rows = html.match(/<tr[^>]*><td class="year">.*?<\/tr>/g)!;
  expect(rows).toHaveLength(Number(tally));
  expect(rows.filter((row) => row.match(/class="title"/g)?.length === 2)).toHaveLength(1);
});

it('a ceremony counts its nominations without the honors, and leads to them', async () => {
  const { counts } = await api<{ counts: { entries: number } }>('/api/ceremonies/67?include=counts');
  const html = await htmlAt('/ceremonies/67-1995');
  expect(html).toContain(`${counts.entries} nominations in `);
  const [, honored] = /<a [^>]*href="([^"]*)"[^>]*>Honored Person/.exec(html)!;
  expect(await htmlAt(honored!)).toContain('For a lifetime.');
});

it('an address of the record that is not http is no link', async () => {
  const { data } = await api<Listed<{ id: number; homepage: string | null }>>(
    '/api/nominees?name=elton+john',
  );
  const { id, homepage } = data.at(-1)!;
  expect(homepage).toMatch(/^javascript:/);
  const html = await htmlAt(`/nominees/${id}`);
  expect(html).toMatch(/<h1[^>]*>Elton John</);
  expect(html).not.toContain('href="javascript:');
});

describe('the ranking of those without a win', () => {
  const path = '/rankings/without-win';
  it.each(['', '?yearStart=2020&yearEnd=2024', '?category=directing'])(
    '%s has none with a win',
    async (query) => {
      const html = await htmlAt(path + query);
      const wins = [...html.matchAll(/(\d+) wins?</g)].map(([, number]) => number);
      expect(wins.length).toBeGreaterThan(10);
      expect(new Set(wins)).toEqual(new Set(['0']));
    },
  );

  it('counts the nominations that match its filters', async () => {
    const filters = '?category=directing&year=2024';
    const { data } = await api<Listed<{ nominee: string; winner: boolean }>>(`/api/nominations${filters}`);
    const html = await htmlAt(path + filters);
    expect(data.length).toBeGreaterThan(1);
    for (const { nominee, winner } of data) expect(html.includes(`>${nominee}</a>`), nominee).toBe(!winner);
    expect(await htmlAt(`${path}?year=1800`)).toContain('Nothing on record matches these filters.');
  });

  it('keeps its years, and those of the other rankings', async () => {
    expect(await htmlAt(`${path}?year=1995&category=directing`)).toContain(
      'href="/rankings/top-movies?year=1995"',
    );
    expect(await htmlAt('/rankings/top-movies?year=1995')).toContain(`href="${path}?year=1995"`);
  });
});

it('a filter offers genres as they are written', async () => {
  expect(await htmlAt('/movies')).toContain('<option value="TV Movie">TV Movie</option>');
});

it('honors begin with the latest year that has some, and lead to the others', async () => {
  const html = await htmlAt('/honors');
  expect(html).toContain('1 honor of 1995');
  expect(html).toContain('href="/honors?yearStart=1990&amp;yearEnd=1999"');
  expect(await htmlAt('/honors?yearStart=1990')).not.toContain('1 honor of');
});

it('both films that won the first award of 1929 are among the winners', async () => {
  const html = await htmlAt('/ceremonies/1');
  const winners = html.slice(html.indexOf('id="winners"'), html.indexOf('id="everyone"'));
  for (const title of ['Sunrise', 'Wings']) expect(winners).toContain(`dir="auto">${title}<`);
});

it('an honor leads to its recipients, and the page of a person shows the honors', async () => {
  const { location } = await pageAt('/honors/1');
  const { html: honor } = await pageAt(location!);
  const person = /href="(\/nominees\/\d+-joint-one)"/.exec(honor)![1]!;
  const { html } = await pageAt(person);
  expect(html).toContain(`href="${location}"`);
  expect(await htmlAt('/nominees/1')).not.toContain('id="honors"');
});

it.each([
  ['two people', 'joint one vs joint two', true],
  [
    'six people',
    'joint one vs joint two vs rival three vs elton john vs randy newman vs carole bayer sager',
    false,
  ],
  ['a person and the same one', 'joint one vs joint one', false],
])('a search for %s with "vs" offers a comparison if it has two to five', async (_, words, isOffered) => {
  const html = await htmlAt(`/search?q=${encodeURIComponent(words)}`);
  expect(html.includes('Side by side')).toBe(isOffered);
});

it('a list of songs names the film of each, its year, and whether the song won', async () => {
  const html = await htmlAt('/songs?title=love+tonight');
  expect(html).toContain('The Lion King · 1994<span class="won"> · won</span>');
});

describe('an address', () => {
  it.each([
    ['/movies/900001', '/movies/900001-first-film'],
    ['/movies/900001-wrong-words?a=b', '/movies/900001-first-film?a=b'],
    ['/movies/900001-first-film/', '/movies/900001-first-film'],
    ['/movies/', '/movies'],
    ['/movies?title=&genre=Drama&sort=', '/movies?genre=Drama'],
    ['/search?q=', '/search'],
    ['/nominations/900001-words', '/nominations/900001'],
    ['/ceremonies/67', '/ceremonies/67-1995'],
  ])('%s leads to %s', async (target, location) => {
    expect(await pageAt(target)).toMatchObject({ status: 301, location });
    expect((await pageAt(location)).status).toBe(200);
  });

  it('that leads to another one is asked again: a title can be changed back', async () => {
    const { headers } = await service.ask('/movies/900001-title-of-yesterday');
    expect(headers).toMatchObject({ location: '/movies/900001-first-film', 'cache-control': 'no-cache' });
  });

  it('of an unknown record is 404 with a helpful page; so is an unknown address for a browser', async () => {
    for (const target of ['/movies/999999', '/movies/999999-gone', '/movies/none', '/rankings/none']) {
      const { status, html } = await pageAt(target);
      expect([target, status]).toEqual([target, 404]);
      expect(html).toContain('<form action="/search">');
      expect(html).toContain('noindex');
    }
    const browser = { headers: { accept: 'text/html' } };
    const nowhere = await service.ask('/nowhere', browser);
    expect([nowhere.status, nowhere.body.toString().includes('action="/search"')]).toEqual([404, true]);
  });

  it.each([
    ['/movies?fbclid=abc', '/movies'],
    ['/movies?genre=Drama&utm_source=t&page=2', '/movies?genre=Drama&page=2'],
    ['/search?q=lion%20king&utm_source=t', '/search?q=lion%20king'],
    ['/years?fbclid=1&apart=group', '/years?apart=group'],
    ['/rankings/top-movies?gclid=1', '/rankings/top-movies'],
    ['/songs/by-year?fbclid=1', '/songs/by-year'],
  ])('%s with parameters of other sites shows the page %s', async (target, clean) => {
    const { status, html } = await pageAt(target);
    expect([status, html]).toEqual([200, await htmlAt(clean)]);
    expect((await service.ask('/api/movies?fbclid=abc')).status).toBe(400);
  });

  it('that a page links to is the right one: no link of a page leads to a redirect or to nothing', async () => {
    const links = new Set<string>();
    for (const target of addresses) {
      const html = await htmlAt(target);
      for (const [, href] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g))
        links.add(href!.replaceAll('&amp;', '&'));
    }
    expect(links.size).toBeGreaterThan(200);
    const wrong: string[] = [];
    for (const link of links) {
      const { status } = await service.ask(link);
      if (status !== 200) wrong.push(`${link}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('every kind of page', () => {
  it('is valid HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: {
        // What the renderer of preact writes.
        'void-style': 'off',
        'attribute-boolean-style': 'off',
        'attribute-empty-style': 'off',
        'no-trailing-whitespace': 'off',
        // Titles may be long.
        'long-title': 'off',
        // The policy of a page forbids style attributes.
        'no-inline-style': ['error', { allowedProperties: [] }],
      },
    });
    const faults: string[] = [];
    for (const target of addresses) {
      const html = await htmlAt(target);
      const { results } = await validator.validateString(html);
      for (const { ruleId, message } of results.flatMap(({ messages }) => messages))
        faults.push(`${target}: ${ruleId}: ${message}`);
    }
    expect([...new Set(faults)]).toEqual([]);
  });

  it('has a title, a description and a canonical address of its own', async () => {
    const targets = addresses.filter((target) => !/9999|none|=x/.test(target));
    const seen = new Map<string, string>();
    for (const target of targets) {
      const html = await htmlAt(target);
      const canonical = elementsOf(html, 'link', 'rel="canonical"')!;
      expect(canonical.replaceAll('&#38;', '&')).toBe(origin + target);
      expect(elementsOf(html, 'meta', 'name="description"')!.length, target).toBeGreaterThan(15);
      const title = /<title>([^<]*)/.exec(html)![1]!;
      if (!target.includes('?')) {
        expect([target, seen.get(title)]).toEqual([target, undefined]);
        seen.set(title, target);
      }
    }
  });

  it('of a film, a person, a ceremony and a song is structured data that a JSON-LD processor reads', async () => {
    const types: Record<string, string> = {
      '/movies/900001-first-film': 'Movie',
      '/ceremonies/67-1995': 'Event',
    };
    for (const resource of ['nominees', 'songs']) {
      const own = records.find((address) => address.startsWith(`/${resource}/`))!;
      types[own] = resource === 'songs' ? 'MusicComposition' : 'Organization|Person';
    }
    for (const [target, type] of Object.entries(types)) {
      const html = await htmlAt(target);
      const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!;
      const [thing] = (await jsonld.expand(JSON.parse(text) as object, { documentLoader })) as Expanded[];
      expect((thing!['@type'] as readonly string[])[0]).toMatch(new RegExp(`^https://schema.org/(${type})$`));
      expect(thing!['@id']).toBe(origin + target);
      const award = type === 'Event' ? 'workFeatured' : 'award';
      expect(thing![`https://schema.org/${award}`]!.length, target).toBeGreaterThan(0);
    }
  });

  it.each([
    ['Elton John', 'Person'],
    ['Joint One', 'Organization'],
  ])('of %s, a nominee without an IMDb id, has its type by the department: %s', async (name, type) => {
    const html = await firstOf('nominees', `name=${encodeURIComponent(name)}`);
    expect(html).toContain(`"@type":"${type}"`);
  });

  it('carries no text that ends its data', async () => {
    for (const target of others) {
      const html = await htmlAt(target);
      const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)![1]!;
      expect(data).not.toContain('<');
      JSON.parse(data);
    }
  });
});

/** Member → its values; '@id' and '@type' as they are. */
type Expanded = Record<string, readonly string[] | string>;

/** The context of schema.org, as far as the pages use it. */
const documentLoader = async (url: string) => ({
  documentUrl: url,
  document: { '@context': { '@vocab': 'https://schema.org/' } },
});

describe('crawlers', () => {
  it('get robots.txt, which names the sitemap, and a sitemap of pages that exist', async () => {
    const { html: robots } = await pageAt('/robots.txt');
    expect(robots).toContain(`\nSitemap: ${origin}/sitemap.xml\n`);
    const { html: sitemap } = await pageAt('/sitemap.xml');
    const addresses = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const resource of resourceNames.filter((name) => name !== 'nominations')) {
      const { pagination, count } = await api<Listed<unknown> & { count: number }>(`/api/${resource}`);
      const own = addresses.filter((address) => address.startsWith(`${origin}/${resource}/`));
      expect([resource, own.length]).toEqual([resource, pagination?.total ?? count]);
      expect((await pageAt(own.at(-1)!.slice(origin.length))).status).toBe(200);
    }
    expect((await service.ask('/sitemap-2.xml')).status).toBe(404);
    expect((await service.ask('/llms.txt')).body.toString()).toMatch(/^# Film Awards\n/);
  });

  it('are never led to the host that a request names', async () => {
    const { body } = await service.ask('/movies/900001-first-film', {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(body.toString()).not.toContain('evil.example');
  });
});
