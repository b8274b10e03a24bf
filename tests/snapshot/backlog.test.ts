/**
 * The promise: builds in a row may owe the folder its pages for a while, and no answer shows it. What several of them render
 * is written once; who comes next is not held up; and the folder ends as a clean build makes it, whatever comes in between.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Backlog } from '../../build/snapshot/backlog.ts';
import { Builder, build } from '../../build/snapshot/builder.ts';
import { verify } from '../../build/snapshot/verify.ts';
import type { Connection } from '../../data/open.ts';
import { MemoryOutput } from '../answers/memory-source.ts';
import { memoryDatabase, revive } from './databases.ts';
import { openFolder } from './questions.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree, writeTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
/** Time until the next build: none is waited for, one is soon, or one is due. */
const none = () => Infinity;
const soon = () => 1;
const due = () => 0;
const bytes = (text: string) => new TextEncoder().encode(text);

/** An output that counts what is done to it. */
class CountingOutput extends MemoryOutput {
  readonly done: string[] = [];

  override put(path: string, content: Uint8Array): boolean {
    this.done.push(`put ${path}`);
    return super.put(path, content);
  }

  override remove(path: string): boolean {
    this.done.push(`remove ${path}`);
    return super.remove(path);
  }
}

describe('what is owed', () => {
  let output: CountingOutput;
  let backlog: Backlog;
  beforeEach(() => {
    output = new CountingOutput();
    backlog = new Backlog();
  });

  test('is written once, as it was owed last', async () => {
    backlog.put('page', bytes('first'));
    backlog.put('page', bytes('second'));
    expect(await backlog.workOff(output, none)).toBe(true);
    expect(output.done).toEqual(['put page']);
    expect(output.files.get('page')).toEqual(bytes('second'));
    expect(await backlog.workOff(output, none)).toBe(true);
    expect(output.done).toHaveLength(1);
  });

  test('keeps its bytes, whatever becomes of those it was given', async () => {
    const given = bytes('page');
    backlog.put('page', given);
    given.fill(0);
    await backlog.workOff(output, none);
    expect(output.files.get('page')).toEqual(bytes('page'));
  });

  test('is not removed when it is wanted again, nor written when it is to go', async () => {
    backlog.remove('shard');
    backlog.forget('shard');
    backlog.put('page', bytes('page'));
    backlog.remove('page');
    await backlog.workOff(output, none);
    expect(output.done).toEqual(['remove page']);
  });

  test('waits for the next build, which may owe it anew; but no longer than five seconds', async () => {
    backlog.put('page', bytes('page'));
    const began = performance.now();
    while (output.done.length === 0) {
      backlog.put('page', bytes('again'));
      backlog.put(`young ${performance.now()}`, bytes('page'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await backlog.workOff(output, soon)).toBe(false);
      expect(performance.now() - began).toBeLessThan(10_000);
    }
    expect(performance.now() - began).toBeGreaterThan(4990);
    expect(output.done[0]).toBe('put page');
    expect(output.files.get('page')).toEqual(bytes('again'));
  });

  test('makes way for who comes in the middle, and goes on afterwards', async () => {
    for (let i = 0; i < 100; i += 1) backlog.put(`page ${i}`, bytes('page'));
    expect(await backlog.workOff(output, () => (output.done.length >= 32 ? 0 : Infinity))).toBe(false);
    expect(output.done.length).toBeLessThan(100);
    expect(await backlog.workOff(output, due)).toBe(false);
    expect(output.done.length).toBeLessThan(100);
    await backlog.workOff(output, none);
    expect(output.done).toHaveLength(100);
  });

  test('is never more than fits into memory with ease', () => {
    for (let i = 0; i < 40; i += 1) backlog.put('the same page', new Uint8Array(1024 * 1024));
    expect(backlog.isFull).toBe(false);
    for (let i = 0; i < 40; i += 1) backlog.put(`page ${i}`, new Uint8Array(1024 * 1024));
    expect(backlog.isFull).toBe(true);
  });
});

describe('a folder whose pages are owed', () => {
  let connection: Connection;
  let builder: Builder;
  beforeEach(async () => {
    connection = memoryDatabase(fillWithTinyRecord);
    builder = new Builder(connection, at('dist'));
    await builder.build();
  });
  afterEach(() => {
    connection.close();
    rmSync(at('dist'), { recursive: true, force: true });
  });

  const pageFile = 'api/movies/1.json';
  const rename = (title: string) => connection.prepare('UPDATE movies SET title = ? WHERE id = 1').run(title);
  const titleOnPage = () =>
    (JSON.parse(readTree(at('dist')).get(pageFile)!.toString()) as { title: string }).title;
  const answered = async () => {
    const { body } = await openFolder(at('dist')).answer({
      method: 'GET',
      path: '/api/movies/1',
      queryString: '',
    });
    return (JSON.parse(new TextDecoder().decode(body!)) as { title: string }).title;
  };
  const expectClean = async () => expect((await verify(connection, at('dist'))).differences).toEqual([]);

  test('answers from the new snapshot; its pages follow', async () => {
    rename('Second');
    const { scope } = await builder.show();
    expect(scope).toBe('changes');
    expect(await answered()).toBe('Second');
    expect(titleOnPage()).toBe('Amélie');
    expect(await builder.finish()).toBe(true);
    expect(titleOnPage()).toBe('Second');
    await expectClean();
  });

  test('may be built again and again before they follow', async () => {
    for (const title of ['Second', 'Third', 'Amélie', 'Fifth']) {
      rename(title);
      expect(await builder.show()).toMatchObject({ scope: 'changes', reason: '1 record changed' });
      expect(await builder.finish(soon)).toBe(false);
      expect(await answered()).toBe(title);
    }
    expect(titleOnPage()).toBe('Amélie');
    await builder.finish();
    await expectClean();
    expect(await build(connection, at('dist'))).toMatchObject({ scope: 'nothing' });
  });

  test('is kept from other builders until they are there', async () => {
    rename('Second');
    await builder.show();
    await expect(build(connection, at('dist'), { timeoutMs: 0 })).rejects.toThrow('another build is at work');
    // Whoever was refused has asked for it: this one does not go on for long.
    expect(await builder.finish(soon)).toBe(true);
    expect(await build(connection, at('dist'), { timeoutMs: 0 })).toMatchObject({ scope: 'nothing' });
  });

  test('is built whole by the next builder where this one went away', async () => {
    rename('Second');
    await builder.show();
    expect(titleOnPage()).toBe('Amélie');
    // What a process leaves that ends here: its lock is gone with it.
    const left = readTree(at('dist'));
    const database = connection.serialize();
    await builder.finish();
    writeTree(at('dist'), left);
    const successor = revive(database);
    expect(await build(successor, at('dist'))).toMatchObject({
      scope: 'everything',
      reason: 'the last build was cut short',
    });
    successor.close();
    expect(titleOnPage()).toBe('Second');
    await expectClean();
  });

  test('is built whole at once where the snapshot in it is not the one this builder made', async () => {
    rename('Second');
    await builder.show();
    rmSync(join(at('dist'), 'manifest.json'));
    rename('Third');
    expect(await builder.show()).toMatchObject({ scope: 'everything' });
    expect(titleOnPage()).toBe('Third');
    await builder.finish();
    await expectClean();
  });
});
