/** What every host must answer at the addresses of the site, and the differences of a host that answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicy, contentTypeOf, fileHeaders, pageAddresses } from '../../api/contract/site.ts';
import { fileAddresses } from '../site/site-files.ts';
import type { Runtime } from './expectation.ts';

interface Shown {
  target: string;
  /** Below the root. */
  file: string;
}

/** Every page at an address of each kind, and every file of the site. */
const shownBy = (out: string): Shown[] => [
  ...[...pageAddresses].map(([address, file]) => ({ target: address.replaceAll(/\{\w+\}/g, '7'), file })),
  { target: '/movies?genre=drama&page=2', file: 'index.html' },
  { target: '/edit/movies/371', file: 'edit/index.html' },
  ...fileAddresses(out).map((file) => ({ target: `/${file}`, file })),
];

/** Requests everything. @returns the differences, a line each */
export async function pageDifferences(runtime: Runtime, out: string): Promise<string[]> {
  const found: string[] = [];
  for (const { target, file } of shownBy(out)) {
    const { status, headers, body } = await runtime({ method: 'GET', target });
    if (status !== 200) found.push(`${target}: status ${status}`);
    if (!readFileSync(join(out, file)).equals(body)) found.push(`${target}: not the bytes of ${file}`);
    const type = headers.get('content-type')?.split(';')[0];
    if (type !== contentTypeOf(file).split(';')[0]) found.push(`${target}: of type ${type}`);
    for (const [name, value] of Object.entries(wantedHeaders(file)))
      if (headers.get(name) !== value) found.push(`${target}: ${name} is ${headers.get(name)}, not ${value}`);
  }
  return found;
}

/** Hosts of plain files have rules for pages, immutable files, and files that other origins may read. */
function wantedHeaders(file: string): Readonly<Record<string, string>> {
  if (file.endsWith('.html'))
    return { 'Content-Security-Policy': contentSecurityPolicy([]), ...fileHeaders(file, []) };
  return /^(assets|shards)\//.test(file) || file === 'manifest.json' ? fileHeaders(file, []) : {};
}
