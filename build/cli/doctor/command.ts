/** The command "doctor": what it prints, and its exit code. */

import { coloured } from '../colours.ts';
import { type CommandOptions, print } from '../command.ts';
import { examine } from './doctor.ts';
import { counted, type Finding, type State } from './finding.ts';

export interface DoctorOptions extends CommandOptions {
  out: string;
  port: number;
  host: string;
}

const marks: Readonly<Record<State, string>> = {
  fine: coloured('green', '✓'),
  note: coloured('yellow', '!'),
  wrong: coloured('red', '✗'),
  skipped: coloured('gray', '-'),
};

export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const findings = await examine({ ...options, environmentKey: process.env.AWARDS_API_KEY });
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  if (count('wrong') > 0) process.exitCode = 1;
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.map((finding) => lineOf(finding, width));
  print(
    options,
    { healthy: count('wrong') === 0, findings },
    [...lines, summaryOf(count('wrong'), count('note'))].join('\n'),
  );
}

const lineOf = ({ subject, state, found, advice }: Finding, width: number): string =>
  `${marks[state]} ${subject.padEnd(width)}  ${found}${advice === undefined ? '' : coloured('bold', `; ${advice}`)}`;

function summaryOf(wrong: number, notes: number): string {
  if (wrong > 0) return `${counted(wrong, 'thing')} to put right`;
  return notes > 0
    ? `nothing is wrong; ${counted(notes, 'thing')} to think of`
    : 'everything is as it should be';
}
