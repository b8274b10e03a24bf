/** A program that cannot be loaded for a moment, as during an update of the service, fails single requests only. */
import { afterEach, expect, it, vi } from 'vitest';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { builtFolder } from './running-service.ts';

const program = '../../build/site/explorer/site-pages.ts';
afterEach(() => vi.doUnmock(program));

it('a page fails while its program cannot be loaded, and is answered after that', async () => {
  const { connection, out } = await builtFolder(fillWithTinyRecord, ['site']);
  connection.close();
  // Other tests of this process have loaded it.
  vi.resetModules();
  vi.doMock(program, () => {
    throw new Error('no such file');
  });
  const { startService } = await import('./running-service.ts');
  const service = await startService(out);
  expect((await service.ask('/movies')).status).toBe(500);
  expect((await service.ask('/api/movies')).status).toBe(200);
  vi.doUnmock(program);
  const { status, body } = await service.ask('/movies');
  expect(status).toBe(200);
  expect(body.toString()).toContain('<h1');
  await service.stop();
});
