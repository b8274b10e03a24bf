/**
 * The promise: the process that takes writes may be killed at any call it makes to the file system or to SQLite. Every
 * acknowledged write is in the record with its receipt, any other is there as a whole or not at all, readers find whole files
 * only, and the next start makes the snapshot right.
 */
import { describe, expect, test } from 'vitest';
import { bundleScript } from '../support/bundle.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import { Fixture } from './fixture.ts';
import type { Manner } from './write-script.ts';
import { type End, expectNoFaults, faultsAfter, isComplete, traceCalls } from './writing-process.ts';

const at = useMemoryFolder();
const fixture = await Fixture.prepare(at('original'));
const script = await bundleScript('tests/durability/write-script.ts', at('.'));
/** The name of each call of an undisturbed run, in order. */
const trace = await traceCalls(fixture.copyTo(at('trace')));

/** Writes sent together may share a build or not, so a run may end before the call at which it should be killed. */
function faultsOfEnd(end: End): string[] {
  const { signal, code, stderr } = end;
  return stderr === '' && (signal === 'SIGKILL' || isComplete(end))
    ? []
    : [`ended by ${signal ?? code}: ${stderr}`];
}

describe.each<Manner>(['before', 'after', 'halfway'])('killed %s a call', (manner) => {
  const expectNoFaultsAt = (calls: readonly number[]) =>
    expectNoFaults(calls, (call, lane) =>
      faultsAfter(
        fixture,
        at(`${manner}-${lane}`),
        (folder) => [process.execPath, script, folder, String(call), manner],
        faultsOfEnd,
      ),
    );
  /** The numbers of the calls that a process can be killed at in this manner, in one list for each name. */
  const callsByName = () => {
    const calls = trace.map((name, i) => ({ name, number: i + 1 }));
    const possible = calls.filter(({ name }) => manner !== 'halfway' || name === 'writeFileSync');
    expect(possible.length).toBeGreaterThan(40);
    const names = new Set(possible.map(({ name }) => name));
    return [...names].map((name) => possible.filter((call) => call.name === name).map((call) => call.number));
  };

  test('nothing acknowledged is lost and nothing is half done, at a call of every kind', async () => {
    const choices = seeded(`killed ${manner}`);
    await expectNoFaultsAt(callsByName().map((calls) => choices.pick(calls)));
  }, 3_600_000);
});
