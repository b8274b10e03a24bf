/** What a publish keeps beside the folder for the next one. A lost or damaged file costs time only. */
import { readIfPresent } from '../../api/read/node-source.ts';
import { writeDurably } from '../../data/system/files.ts';

/** The pairs of the last publish; none if the file is lost or damaged. */
export function readPairs(file: string): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(readIfPresent(file)!.toString()) as [string, string][]);
  } catch {
    return new Map();
  }
}

export const writePairs = (file: string, pairs: ReadonlyMap<string, string>): void =>
  writeDurably(file, JSON.stringify([...pairs]));

/** Milliseconds since 1970; 0 if the file is lost or damaged. */
export const readTime = (file: string): number => Number(readIfPresent(file)?.toString()) || 0;

export const writeTime = (file: string, time: number): void => writeDurably(file, String(time));
