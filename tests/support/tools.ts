/** The programs of tools/package.json. `npm run check` installs them; a test that needs one is skipped without them. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { project } from './project.ts';

const folder = join(project, 'tools/node_modules');

/** Resolves and loads packages of the tools. */
export const requireTool = createRequire(join(project, 'tools/package.json'));

/** Skips the test if the tools are not installed. */
export function needTools(context: TestContext): void {
  if (!existsSync(join(folder, '.installed.json')))
    context.skip('the tools of the checks are not installed; "npm run tools" does it');
}

/** Path of a file of the tools. */
export const toolPath = (path: string): string => join(folder, path);
