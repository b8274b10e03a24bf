/** The promise: progress on a terminal changes nothing that a killed command would leave changed. */
import { afterEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../build/cli/command.ts';

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
  const { progress, stop } = await showProgress();
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 2000);
  progress('working', 1, 4);
  const whileWorking = output;
  stop();
  expect(whileWorking).toContain('25%');
  // DECTCEM and DECAWM.
  expect(whileWorking).not.toMatch(/\[\?(?:25|7)l/);
});
