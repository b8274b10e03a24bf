/** The commands "build" and "verify". */
import { type LayerName, layerNames } from '../../api/contract/layers.ts';
import { buildFolder } from '../build.ts';
import { type LayerOptions, layersOf } from '../derived/layers.ts';
import { counted, number } from '../../data/system/messages.ts';
import * as verifier from '../verify.ts';
import {
  type CommandOptions,
  print,
  printLine,
  secondsSince,
  withDatabase,
  withProgress,
} from './command.ts';

export interface BuildCommandOptions extends CommandOptions, LayerOptions {
  out: string;
  full?: boolean;
  explain?: boolean;
  /** False leaves the downloads as they are. */
  downloads?: boolean;
}

/** The layers that a command keeps up to date. */
export const chosenLayers = ({ downloads }: Pick<BuildCommandOptions, 'downloads'>): readonly LayerName[] =>
  layerNames.filter((name) => downloads !== false || name !== 'downloads');

export const build = (options: BuildCommandOptions) => buildLayers(options, chosenLayers(options));

/** @param names the layers to bring up to date */
export async function buildLayers(options: BuildCommandOptions, names: readonly LayerName[]): Promise<void> {
  const { out, explain, json } = options;
  const start = performance.now();
  const report = await withDatabase(options, true, (connection) =>
    withProgress('building', (onProgress) =>
      buildFolder(connection, out, { ...options, layers: names, onProgress }),
    ),
  );
  const { snapshot, scope, reason, rendered, layers, files } = report;
  const written = files.filter((file) => file.action === 'written').length;
  const removed = files.length - written;
  const parts = [{ ...report, layer: 'snapshot' }, ...layers];
  if (explain && !json) for (const part of parts) printLine(`${part.layer}: ${part.scope} (${part.reason})`);
  const changed = parts.find((part) => part.scope !== 'nothing');
  const done = changed ? `${counted(written, 'file')} written, ${number(removed)} removed` : 'up to date';
  const what = changed ?? report;
  const summaries = layers.map(({ files: own, snapshot: _, ...layer }) => ({ ...layer, files: own.length }));
  print(
    options,
    { snapshot, scope, reason, rendered, written, removed, layers: summaries },
    `${out}: snapshot ${snapshot}, ${done} in ${secondsSince(start)} (${what.scope}: ${what.reason})`,
  );
}

export async function verify(options: BuildCommandOptions): Promise<void> {
  const { out } = options;
  const start = performance.now();
  const result = await withDatabase({ ...options, dryRun: true }, true, (connection) =>
    withProgress('verifying', (onProgress) =>
      verifier.verify(connection, out, layersOf(layerNames, options), { onProgress }),
    ),
  );
  const { differences, files: count, layers, snapshot, others } = result;
  if (differences.length > 0) process.exitCode = 1;
  const lines = [
    ...differences.map(({ path, problem }) => `${problem} ${path}`),
    ...others.map((path) => `not of the build: ${path}`),
  ];
  const isBehind = Object.values(layers).includes('behind');
  const summary =
    differences.length === 0
      ? `${out}: all ${counted(count, 'file')} are equal to a clean build, snapshot ${snapshot}, in ${secondsSince(start)}${downloadsNote[layers.downloads ?? 'current']}`
      : `${out}: ${counted(differences.length, 'file')} of ${number(count)} ${differences.length === 1 ? 'differs' : 'differ'} from a clean build; "awards build${isBehind ? '' : ' --full'}" repairs them`;
  print(options, result, [...lines, summary].join('\n'));
}

const downloadsNote: Readonly<Record<verifier.LayerState, string>> = {
  current: '',
  missing: '; there are no downloads, "awards build" makes them',
  behind: '; the downloads are those of an earlier snapshot or of other options, "awards build" updates them',
};
