/** docs/operations.md names the limits that the service has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  countedClients,
  filesPerRead,
  maxBodyBytes,
  readsPerMinute,
  writesPerMinute,
  wrongKeysPerMinute,
} from '../../api/contract/limits.ts';
import { createService } from '../../api/server/app.ts';
import { number } from '../../build/system/messages.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
const { headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections } = createService({
  out: temporaryFolder(),
  readLimit: 0,
  proxies: [],
  onError: () => {},
}).app.server;

const text = readFileSync(join(project, 'docs/operations.md'), 'utf8');

it.each([
  ['reads of a client in a minute', number(readsPerMinute)],
  ['files and pages of a client in a minute', number(readsPerMinute * filesPerRead)],
  ['writes of a key in a minute', number(writesPerMinute)],
  ['requests of a client with a wrong key in a minute', number(wrongKeysPerMinute)],
  ['clients counted at a time', number(countedClients)],
  ['connections', number(maxConnections)],
  ['body of a write', `${maxBodyBytes / 1024} KiB`],
  ['time for the headers, and for a whole request', `${seconds(headersTimeout)}, ${seconds(requestTimeout)}`],
  ['time without a byte on a connection', seconds(timeout)],
])('%s: %s', (limit, value) => {
  expect(text).toMatch(new RegExp(`^\\| ${limit} +\\| ${value} +\\|`, 'm'));
});

it(`time between two requests: ${seconds(keepAliveTimeout)}`, () => {
  expect(text).toContain(`${seconds(keepAliveTimeout)} between two requests`);
});
