/**
 * The promise: a number of nominations beside a link is the number that the page behind the link says. A ranking, a row, a hit, a
 * bar and a sentence count the same: official entries, and the others beside them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importRecord } from '../../data/import/import.ts';
import { inProcess, type Service } from '../support/running-service.ts';
import { memoryDatabase } from '../records/databases.ts';
import { build } from '../records/build.ts';
import { describeWithRealRecord, realRecordPath } from '../records/real-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { explorerFolder } from './explorer-site.ts';

/** Kinds of page that have numbers beside links. */
const kinds = [
  ...['/', '/movies', '/movies?yearStart=1929&yearEnd=1935', '/nominees', '/nominees?kind=all&sort=-wins'],
  ...['/rankings/top-movies', '/rankings/top-nominees', '/rankings/top-nominees?sort=unrewarded'],
  ...['/rankings/countries', '/years', '/years?category=directing', '/search?q=lion', '/search?q=mary'],
  ...['/categories/3-x', '/categories/6-x', '/downloads'],
];
/** Pages behind one kind that are opened. */
const opened = 12;

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
const textOf = (html: string) => unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
const numbersIn = (text: string) =>
  /([\d,]+) nominations?(?: \((\d+) not official[^)]*\))?/.exec(text)?.slice(1, 3).map(plain);
const plain = (digits: string | undefined) => Number((digits ?? '0').replaceAll(',', ''));

interface Shown {
  href: string;
  /** Official nominations; and the others, where the place says them. */
  numbers: number[];
  place: string;
}

/** The links of a page with a number of nominations: bars of charts, rows of tables of years, rows of lists. */
function linksIn(html: string): Shown[] {
  const bars = [...html.matchAll(/<a href="([^"]+)" aria-label="(\d{4}: [^"]*)"/g)];
  const years = [
    ...html.matchAll(/<th scope="row"><a href="([^"]+)">\d{4}<\/a><\/th><td>([\d,]+)<\/td>/g),
  ].map(([all, href, number]) => [all, href, `${number} nominations`]);
  const rows = [...html.matchAll(/<li[^>]*>((?:(?!<li)[\s\S])*?)<\/li>/g)].flatMap(([all, inner]) => {
    const href = /<a [^>]*href="(\/(?:movies|nominees|categories|songs)\/[^"]+)"/.exec(inner!)?.[1];
    return href ? [[all, href, textOf(inner!)]] : [];
  });
  return [...bars, ...years, ...rows].flatMap(([, href, text]) => {
    const numbers = numbersIn(text!);
    return numbers ? [{ href: unescaped(href!), numbers, place: text! }] : [];
  });
}

function testNumbers(folderOf: () => Promise<string>): void {
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    folder = await folderOf();
    service = inProcess(folder);
  });
  afterAll(() => service.stop());

  async function htmlAt(path: string): Promise<string> {
    const { status, headers, body } = await service.ask(path);
    if (status >= 300 && status < 400) return htmlAt(String(headers.location));
    expect(status, path).toBe(200);
    return body.toString();
  }
  /** What a page says of its nominations: the sentence below its title, or above its list. */
  async function saidAt(path: string): Promise<number[] | undefined> {
    const html = await htmlAt(path);
    const sentences = [...html.matchAll(/<p class="(?:tally|total)"[^>]*>([\s\S]*?)<\/p>/g)];
    return sentences.map(([, text]) => numbersIn(textOf(text!))).find((own) => own !== undefined);
  }

  /** Fails unless the pages behind the links of a page say its numbers. */
  async function expectSame(path: string): Promise<void> {
    const found = linksIn(await htmlAt(path));
    const step = Math.max(1, Math.floor(found.length / opened));
    const picked = found.filter((_, at) => at % step === 0);
    expect(picked.length, path).toBeGreaterThan(0);
    for (const { href, numbers, place } of picked) {
      const said = await saidAt(href);
      // A bar has room for the official ones alone.
      const isBar = !place.includes('not official');
      expect(isBar ? said?.[0] : said, `${place} → ${href}`).toEqual(isBar ? numbers[0] : numbers);
    }
  }

  it.each(kinds)('on %s', async (path) => {
    if (path === '/downloads') {
      const html = await htmlAt(path);
      const files = [...html.matchAll(/href="\/downloads\/(\w+\.ndjson)"[\s\S]*?, ([\d,]+) record/g)];
      expect(files.length).toBe(7);
      for (const [, name, rows] of files)
        expect(readFileSync(join(folder, 'downloads', name!), 'utf8').split('\n').length - 1).toBe(
          plain(rows),
        );
      return;
    }
    await expectSame(path);
  });

  it('in the career of the first person of the ranking', async () => {
    const [first] = linksIn(await htmlAt('/rankings/top-nominees'));
    await expectSame(first!.href);
  });

  it('of the whole record, wherever a page says it', async () => {
    const said = await Promise.all(['/', '/years', '/nominations'].map(saidAt));
    const [first, ...others] = said.filter((own) => own !== undefined);
    expect(others.length).toBeGreaterThan(0);
    for (const own of others) expect(own).toEqual(first);
  });
}

describe('the sample and some odd records', () => testNumbers(explorerFolder));

describeWithRealRecord('the real record', () =>
  testNumbers(async () => {
    const connection = memoryDatabase(() => {});
    await importRecord(connection, realRecordPath);
    const folder = join(temporaryFolder(), 'dist');
    await build(connection, folder, { layers: ['site', 'downloads'] });
    connection.close();
    return folder;
  }),
);
