/** The command "doctor": checks everything the service needs and changes nothing. One broken part does not stop the others. */
import { counted } from '../../system/numbers.ts';
import { type CommandOptions, coloured, print } from '../command.ts';
import { environment } from '../environment.ts';
import {
  checkDatabase,
  checkKeys,
  checkLayers,
  checkNativeModule,
  checkNode,
  checkPort,
  checkSnapshot,
  checkSpace,
  logIsGone,
} from './checks.ts';
import type { ListenAddress } from '../serve-commands.ts';
import { checkCoverage } from './coverage.ts';
import type { Finding, State } from './finding.ts';

export type DoctorOptions = CommandOptions & ListenAddress & { out: string };

const marks: Readonly<Record<State, string>> = {
  fine: coloured('green', '✓'),
  note: coloured('yellow', '!'),
  wrong: coloured('red', '✗'),
  skipped: coloured('gray', '-'),
};

/** @param environmentKey AWARDS_API_KEY */
export async function examine(
  { db, out, port, host }: DoctorOptions,
  environmentKey: string | undefined,
): Promise<Finding[]> {
  const native = await checkNativeModule();
  const database = await checkDatabase(db, out, native.state === 'fine');
  const snapshot = await checkSnapshot(out, database.content);
  const findings = [
    checkNode(),
    native,
    database.finding,
    snapshot.finding,
    ...(await checkLayers(out, snapshot.snapshot)),
    checkSpace(out),
    await checkPort(port, host),
    checkKeys(database.content, environmentKey),
    ...checkCoverage(database.content?.coverage, out, new Date()),
  ];
  if (database.finding.advice !== logIsGone) return findings;
  return findings.map((each) => (each.advice?.includes('"awards ') ? { ...each, advice: logIsGone } : each));
}

export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const findings = await examine(options, environment.AWARDS_API_KEY);
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  if (count('wrong') > 0) process.exitCode = 1;
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.map(
    ({ subject, state, found, advice }) =>
      `${marks[state]} ${subject.padEnd(width)}  ${found}${advice ? coloured('bold', `; ${advice}`) : ''}`,
  );
  lines.push(summaryOf(count('wrong'), count('note')));
  print(options, { healthy: count('wrong') === 0, findings }, lines.join('\n'));
}

function summaryOf(wrong: number, notes: number): string {
  if (wrong > 0) return `${counted(wrong, 'problem')} to fix`;
  return notes > 0 ? `no problems, ${counted(notes, 'note')}` : 'no problems';
}
