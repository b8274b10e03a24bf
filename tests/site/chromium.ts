/** Where the browser is that tests drive, if there is one. */
import { execFileSync } from 'node:child_process';

/** The browser to use: the one named in CHROMIUM, else the first that the system has. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // Not under this name.
    }
  return undefined;
}
