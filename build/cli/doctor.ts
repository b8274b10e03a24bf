/**
 * The command "doctor": checks the database, the snapshot with its layers, the disk, the keys, and the terms
 * of values. Changes nothing.
 */
import { join, resolve } from 'node:path';
import { enrichmentSources, restrictedSource } from '../../api/contract/enrichment.ts';
import * as layers from '../../api/contract/layers.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { nodeDigest, readIfPresent } from '../../api/read/node-source.ts';
import { type Content, inspectDatabase, missingNativeModule } from '../../data/database/inspect.ts';
import { isFullDisk, isThere, shortageOf } from '../../data/system/files.ts';
import { counted, number } from '../../data/system/messages.ts';
import { damagedLayerFiles, readLayerHead, readLayerIndex, snapshotDamage } from '../snapshot/named-files.ts';
import { type CommandOptions, coloured, print } from './command.ts';
import { environment, faultIn, noOrigin } from './environment.ts';

const marks = {
  fine: ['green', '✓'],
  note: ['yellow', '!'],
  wrong: ['red', '✗'],
  skipped: ['gray', '-'],
} as const;
/** "note": it works, but there may be something to do. "skipped": another fault has to be fixed first. */
type State = keyof typeof marks;
/** What a check finds, and for "note" and "wrong" what to do next. */
export type Finding = { subject: string; state: State; found: string; advice?: string };
type Judgement = [state: State, found: string, advice?: string];

const builds = '"awards build" makes it';
const fills = '"awards sample" or "awards import" fills one';
const restores = '"awards restore" puts a backup in its place';
/** Any command that opens such a database would start a new log, and lose the writes of the old one. */
const logIsGone =
  'stop the programs that use it, put the file back beside the database, and start them again; no other command before that: it would discard acknowledged writes';

/**
 * Checks everything. A part that cannot be read stops no other check.
 * @param environmentKey AWARDS_API_KEY
 * @param origin AWARDS_ORIGIN
 */
export async function examine(
  { db, out }: { db: string; out: string },
  environmentKey?: string,
  origin?: string,
) {
  // Without it, every other check would name a wrong cause.
  const missing = missingNativeModule();
  if (missing !== undefined) return [{ subject: 'program', state: 'wrong', found: missing }] as Finding[];
  const findings: Finding[] = [];
  const check = async (subject: string, judge: () => Judgement) => {
    const [state, found, advice] = await (async () => judge())().catch(unreadable);
    findings.push({ subject, state, found, ...(advice && { advice }) });
  };
  const known: { content?: Content; snapshot?: string } = {};
  await check('database', () => judgeDatabase(db, out, known));
  await check('snapshot', () => judgeSnapshot(out, known));
  for (const layer of layers.layerNames)
    await check(layer, () => judgeLayer(resolve(out), layer, known.snapshot));
  await check('disk', () => judgeDisk({ database: db, snapshot: out }));
  const { content } = known;
  const checkContent = (subject: string, judge: (content: Content) => Judgement) =>
    check(subject, () => (content ? judge(content) : ['skipped', 'the database cannot be used']));
  await checkContent('keys', ({ keys }) => judgeKeys(keys, environmentKey));
  await checkContent('films', ({ coverage }) => ['fine', shares(coverage.movies)]);
  await checkContent('people', ({ coverage }) => ['fine', shares(coverage.nominees)]);
  await checkContent('terms', ({ restricted }) => judgeTerms(restricted, out, Date.now()));
  await check('origin', () => judgeOrigin(resolve(out), origin));
  if (findings[0]!.advice !== logIsGone) return findings;
  return findings.map((each) => (each.advice?.includes('"awards ') ? { ...each, advice: logIsGone } : each));
}

function unreadable(error: Error & { code?: string }): Judgement {
  if (isFullDisk(error)) return ['wrong', 'cannot be read: its disk is full', 'make room'];
  const advice = error.code?.startsWith('SQLITE') ? restores : 'check the permissions of the folder';
  return ['wrong', `cannot be read: ${error.message.split('\n')[0]}`, advice];
}

function judgeDatabase(db: string, out: string, known: { content?: Content }): Judgement {
  if (!isThere(db)) return ['wrong', `there is none at ${db}`, fills];
  const found = inspectDatabase(db, resolve(out));
  if ('lostLog' in found) return ['wrong', `${found.lostLog} is gone, with the latest writes`, logIsGone];
  if ('faults' in found) return ['wrong', `${db} is damaged: ${found.faults[0]}`, restores];
  if ('foreign' in found)
    return ['wrong', `${db} is the database of another program, or empty`, 'choose another file with --db'];
  if ('schema' in found) return judgeSchema(db, found);
  const { broken, counts } = found.content;
  const fault = broken && `${broken.table} ${broken.rowid} refers to a missing record of ${broken.parent}`;
  if (fault) return ['wrong', fault, restores];
  if (counts.nominations + counts.movies === 0) return ['wrong', `${db} has no records`, fills];
  known.content = found.content;
  return ['fine', `${db} is sound and has ${counted(counts.nominations, 'nomination')}`];
}

function judgeSchema(db: string, { schema, current }: { schema: number; current: number }): Judgement {
  const found = `${db} has schema ${schema}, and this version of the program has schema ${current}`;
  if (schema > current) return ['wrong', found, 'use the version that wrote it, or a newer one'];
  if (schema < 1) return ['wrong', found, `move the file away; ${fills}`];
  return ['note', found, '"awards build" upgrades it, and keeps a copy'];
}

function judgeSnapshot(out: string, known: { content?: Content; snapshot?: string }): Judgement {
  const file = join(resolve(out), manifestPath);
  const bytes = isThere(file) && readIfPresent(file);
  if (!bytes) return ['wrong', `there is none in ${out}`, builds];
  const manifest = parseManifest(bytes, nodeDigest);
  if (!manifest) return ['wrong', `${out}/${manifestPath} is damaged or of another version`, builds];
  const damage = snapshotDamage(resolve(out), manifest);
  if (damage !== undefined) return ['wrong', `${out}: ${damage}`, builds];
  known.snapshot = manifest.snapshot;
  const found = `${out} holds ${manifest.snapshot}`;
  if (!known.content) return ['skipped', `${found}; its database is unknown`];
  const { snapshot, pending } = known.content;
  if (snapshot !== manifest.snapshot)
    return ['wrong', `${found}, which was not built from this database`, '"awards build" replaces it'];
  if (pending > 0) return ['note', `${out} is ${counted(pending, 'change')} behind the database`, builds];
  return ['fine', `${found}, up to date with the database`];
}

function judgeLayer(root: string, layer: layers.LayerName, snapshot: string | undefined): Judgement {
  if (snapshot === undefined) return ['skipped', 'they are made from a snapshot'];
  if (!isThere(join(root, layers.layerIndexPath(layer)))) return ['note', 'there are none', builds];
  const index = readLayerIndex(root, layer);
  if (!index) return ['wrong', 'the index is damaged, or of another version', builds];
  if (!layers.isCurrent(index, snapshot))
    return ['note', 'they are of an earlier snapshot, or an update is running', builds];
  const [damaged] = damagedLayerFiles(root, index.files);
  if (damaged !== undefined) return ['wrong', `${damaged} is missing or damaged`, builds];
  return ['fine', 'every file is whole, and up to date with the snapshot'];
}

function judgeDisk(places: Record<'database' | 'snapshot', string>): Judgement {
  for (const [what, place] of Object.entries(places)) {
    const shortage = shortageOf(what, place);
    if (shortage) return ['wrong', shortage, 'make room'];
  }
  return ['fine', 'there is room for writes and builds'];
}

function judgeOrigin(root: string, origin: string | undefined): Judgement {
  const fault = origin && faultIn('AWARDS_ORIGIN', origin);
  if (fault) return ['wrong', fault, 'set the public address of the site'];
  const lists = readLayerHead(root, 'lists');
  if (!lists) return ['skipped', 'there are no lists, which name the address of the site'];
  const built = layers.originOfLists(lists);
  if (origin === built || origin === undefined) {
    if (built !== undefined) return ['fine', `the lists name ${built}`];
    return ['note', noOrigin, 'set AWARDS_ORIGIN to its public address, then run "awards build"'];
  }
  return [
    'note',
    `the lists name ${built ?? 'no address'}, not ${origin}`,
    '"awards build" makes them again',
  ];
}

function judgeKeys(keys: Content['keys'], environmentKey: string | undefined): Judgement {
  const fault = environmentKey && faultIn('AWARDS_API_KEY', environmentKey);
  if (fault) return ['wrong', fault, 'set another key, or use "awards keys create NAME" instead'];
  const count = keys.filter(({ revokedAt }) => revokedAt === null).length + (environmentKey ? 1 : 0);
  if (count > 0) return ['fine', `${counted(count, 'key')} for writing`];
  return ['note', 'all writes are refused: there is no key', '"awards keys create NAME" makes one'];
}

const shares = ({ records, known }: Content['coverage']['movies']): string =>
  `${number(records)}: ${Object.entries(known)
    .map(([field, count]) => `${field} ${records && Math.floor((100 * count) / records)} %`)
    .join(', ')}`;

/**
 * Values that may not be passed on, and be kept for a limited time. They are to be renewed within its last 30
 * days.
 */
function judgeTerms(restricted: Content['restricted'], out: string, now: number): Judgement {
  if (restricted.length === 0) return ['fine', 'every value may be passed on'];
  const isIncluded = /"notices":\["/.test(String(readIfPresent(join(out, layers.downloadIndexPath))));
  const place = isIncluded ? 'in the downloads (--include-restricted)' : 'not in the downloads';
  const { title, maxAgeDays } = enrichmentSources[restrictedSource];
  const olderThan = (days: number) =>
    restricted.filter(({ day }) => now - Date.parse(day) > days * 86_400_000);
  const count = (days: typeof restricted) => days.reduce((sum, { values }) => sum + values, 0);
  const [old, soon] = [count(olderThan(maxAgeDays)), count(olderThan(maxAgeDays - 30))];
  const found = `${counted(count(restricted), 'value')} of ${title}, ${place}`;
  const advice = `"awards enrich ${restrictedSource} --refresh" renews them`;
  if (old > 0) return ['wrong', `${found}; ${counted(old, 'value')} older than the terms allow`, advice];
  if (soon > 0) return ['note', `${found}; ${counted(soon, 'value')} to renew within 30 days`, advice];
  return ['fine', found];
}

export async function doctor(options: CommandOptions & { out: string }): Promise<void> {
  const findings = await examine(options, environment.AWARDS_API_KEY, environment.AWARDS_ORIGIN);
  const problems = findings.filter(({ state }) => state === 'wrong').length;
  if (problems > 0) process.exitCode = 1;
  const lines = findings.map(({ subject, state, found, advice }) => {
    const [colour, mark] = marks[state];
    const next = advice ? coloured('bold', `; ${advice}`) : '';
    return `${coloured(colour, mark)} ${subject.padEnd(9)}  ${found}${next}`;
  });
  const sum = problems > 0 ? `${counted(problems, 'problem')} to fix` : 'no problems';
  print(options, { healthy: problems === 0, findings }, [...lines, sum].join('\n'));
}
