/** The promise: at its end a program closes everything that it opened, whatever fails. */
import { expect, it } from 'vitest';
import { Closings } from '../../data/system/closings.ts';

it('closes one after the other, the newest first; failures are reported and keep nothing open', async () => {
  const closings = new Closings();
  const closed: string[] = [];
  closings.add(() => closed.push('first'));
  closings.add(() => {
    throw new Error('at once');
  });
  closings.add(() => Promise.reject(new Error('later')));
  closings.add(async () => {
    await Promise.resolve();
    closed.push('last');
  });
  await closings.close((error) => closed.push(String(error)));
  expect(closed).toEqual(['last', 'Error: later', 'Error: at once', 'first']);
  await closings.close(() => expect.unreachable());
});
