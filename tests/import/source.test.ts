/** The sources of a record, a file or an http address, and their errors. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { importRecord, readSource } from '../../data/import/import.ts';
import { openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { recordOf } from './record-text.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const expectRefusal = (work: Promise<unknown>, message: RegExp) =>
  expect(work).rejects.toThrow(
    expect.objectContaining({ name: 'UserError', message: expect.stringMatching(message) }),
  );

describe('a file', () => {
  const folder = temporaryFolder();
  const written = (text: string) => {
    writeFileSync(join(folder, 'record.tsv'), text);
    return join(folder, 'record.tsv');
  };

  it('is imported', async () => {
    const connection = openDatabase(':memory:');
    const report = await importRecord(connection, written(recordOf({})));
    expect(report.resources.nominations.added).toBe(1);
    expect(countRecords(connection).nominations).toBe(1);
  });

  it('is refused with the reason if it is missing, a directory, a web page or too large', async () => {
    await expectRefusal(readSource(join(folder, 'none.tsv')), /none\.tsv: there is no such file/);
    await expectRefusal(readSource(folder), /it is a directory/);
    await expectRefusal(readSource(written('\n<!DOCTYPE html>')), /is a web page/);
    await expectRefusal(readSource(written('12345'), { timeoutMs: 1, maxBytes: 4 }), /larger than/);
  });
});

describe('an address', () => {
  let server: Loopback | undefined;
  afterEach(() => server?.stop());
  /** Starts a server. @returns its address */
  const serving = async (listener: RequestListener) => {
    server = await listen(createServer(listener));
    return `${server.origin}/record.tsv`;
  };

  it('is imported', async () => {
    const address = await serving((_, response) =>
      response.end(recordOf({}, { Film: 'Amélie', FilmId: 'tt2' })),
    );
    const report = await importRecord(openDatabase(':memory:'), address);
    expect(report.resources.movies.added).toBe(2);
  });

  it('is refused with the status if the server answers with an error', async () => {
    const address = await serving((_, response) => response.writeHead(404).end('no'));
    await expectRefusal(readSource(address), /the server answered 404 Not Found/);
  });

  it('is refused with a hint if it is a web page', async () => {
    const address = await serving((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
    );
    await expectRefusal(readSource(address), /is a web page.*"Raw"/);
  });

  it('is refused if it takes too long, sends too much or has no server', async () => {
    let address = await serving((_, response) => void response.write('Ceremony\t'));
    await expectRefusal(
      readSource(address, { timeoutMs: 50, maxBytes: 100 }),
      /no complete answer within 0\.05 seconds/,
    );
    await server!.stop();
    await expectRefusal(readSource(address), /ECONNREFUSED/);
    address = await serving((_, response) => response.end('x'.repeat(200_000)));
    await expectRefusal(readSource(address, { timeoutMs: 5000, maxBytes: 1000 }), /larger than/);
  });

  it('of another scheme is refused', async () => {
    await expectRefusal(readSource('ftp://example.org/record'), /only files and http\(s\) addresses/);
  });
});
