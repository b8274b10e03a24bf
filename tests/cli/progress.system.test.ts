/** The promise: progress on a terminal changes nothing that a killed command would leave changed. */
import { afterEach, expect, it, vi } from 'vitest';
import { withPhases } from '../../build/cli/command.ts';

const { isTTY } = process.stderr;
afterEach(() => {
  process.stderr.isTTY = isTTY;
  vi.restoreAllMocks();
});

it('a bar shows, and neither hides the cursor nor turns line wrapping off', async () => {
  process.stderr.isTTY = true;
  let output = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  await withPhases((progress) => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 2000);
    progress('working', 1, 4);
    expect(output).toContain('25%');
  });
  // DECTCEM and DECAWM.
  expect(output).not.toMatch(/\[\?(?:25|7)l/);
});
