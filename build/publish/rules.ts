/** What goes to the host besides the snapshot: its rules and the bundles of edge code, under the paths that netlify-cli gives them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';

/** Path in the deploy → bytes, ascending by path. */
export type Rules = ReadonlyMap<string, Buffer>;

const configuration = 'netlify.toml';
/** Where the host looks for manifest.json and the *.eszip bundles. */
const edgeCode = '.netlify/internal/edge-functions';
/** Where `netlify build` leaves them, or else somebody who laid them out as they are deployed. */
const edgeCodeFolders = ['.netlify/edge-functions-dist', edgeCode];

/** Reads what there is of it in the project's folder. */
export function readRules(project: string): Rules {
  const rules = new Map<string, Buffer>();
  const folder = edgeCodeFolders.map((name) => join(project, name)).find((path) => existsSync(path));
  if (folder !== undefined)
    for (const name of readdirSync(folder).sort(byCodeUnit))
      if (/^manifest\.json$|\.eszip$/.test(name))
        rules.set(`${edgeCode}/${name}`, readFileSync(join(folder, name)));
  const file = join(project, configuration);
  if (existsSync(file)) rules.set(configuration, readFileSync(file));
  return rules;
}

/**
 * One hash for all of it; empty for nothing.
 * @param alongside what else goes along with a snapshot: path and hash each
 */
export function rulesHash(rules: Rules, alongside: readonly (readonly [string, string])[] = []): string {
  const parts = [...rules].map(([path, bytes]) => [path, contentHash(bytes, nodeDigest)] as const);
  if (parts.length + alongside.length === 0) return '';
  return contentHash(new TextEncoder().encode(JSON.stringify([...parts, ...alongside])), nodeDigest);
}

/** The digest that the host tells files by, in hexadecimal. */
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
