/** The site that a package of this project ships, so that an installation needs neither a bundler nor the site's packages. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path below the root → bytes. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

interface ShippedSite {
  /** Fingerprint of the code that the site was made from. */
  code: string;
  files: SiteFiles;
}

/** Files in JSON, their bytes in base64. */
type Encoded = readonly [path: string, base64: string][];
export const encoded = (files: SiteFiles): Encoded =>
  [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
export const decoded = (files: Encoded): SiteFiles =>
  new Map(files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));

const name = 'site.json';
let shipped: ShippedSite | undefined;

/** The site beside this module; undefined in a checkout, which makes it from its sources. */
export function shippedSite(): ShippedSite | undefined {
  const file = new URL(name, import.meta.url);
  if (shipped === undefined && existsSync(file)) {
    const { code, files } = JSON.parse(readFileSync(file, 'utf8')) as { code: string; files: Encoded };
    shipped = { code, files: decoded(files) };
  }
  return shipped;
}

/** Writes the site for a package. @param folder of this module in the package */
export function shipSite(folder: string, { code, files }: ShippedSite): void {
  writeFileSync(join(folder, name), JSON.stringify({ code, files: encoded(files) }));
}
