/** A second name for a file. */
import { copyFileSync, linkSync } from 'node:fs';

/** Two names for the same bytes; twice the bytes on another disk, or where the file system has no links. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
