/** What package.json says about this program, in a checkout and where it is installed. */
import { readFileSync } from 'node:fs';

export const ownPackage = (): { version: string; engines: { node: string } } =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as ReturnType<
    typeof ownPackage
  >;
