/** The promise: what root makes in the folder of another user belongs to that user, and its service goes on. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { recordOf } from '../records/record-text.ts';
import { pathsIn } from '../records/tree.ts';
import { outcomeOf } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The user and the group "nobody", or any other that is not root. */
const user = 65_534;

describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const env = {
    PATH: process.env.PATH,
    AWARDS_DB: join(home, 'data/awards.db'),
    AWARDS_DIST: join(home, 'dist'),
  };
  const run = (uid: number, ...words: string[]) =>
    outcomeOf(
      spawn(process.execPath, [inject('cli'), ...words], {
        ...{ cwd: home, env, uid, gid: uid },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  const owners = () => {
    const folders = new Set(pathsIn(home).map((path) => dirname(path)));
    const paths = [...pathsIn(home), ...folders, 'dist/.awards.lock', 'dist/.awards.layers.lock'];
    return paths.filter((path) => statSync(join(home, path)).uid !== user);
  };

  it('gives what it makes to the owner of the folder, who builds and publishes on', async () => {
    for (const path of [folder, dirname(inject('cli'))]) chmodSync(path, 0o755);
    mkdirSync(home);
    chownSync(home, user, user);
    const sources = ['one', 'two', 'three'].map((name, at) => {
      const file = join(folder, name);
      const films = Array.from({ length: at + 1 }, (_, film) => ({
        Film: `Film ${film}`,
        FilmId: `tt${film + 1}`,
      }));
      writeFileSync(file, recordOf(...films));
      return file;
    });
    const done = { code: 0, stderr: '' };
    const publish = ['publish', '--to', join(home, 'public'), '--origin', 'https://a.example'];
    const rounds = [0, user, 0];
    for (const [round, uid] of rounds.entries()) {
      const source = sources[Math.min(round, sources.length - 1)]!;
      expect(await run(uid, 'import', source)).toMatchObject(done);
      expect(await run(uid, 'build', '--origin', 'https://a.example')).toMatchObject(done);
      expect(await run(uid, ...publish)).toMatchObject(done);
      expect(await run(uid, 'backup', join(home, `${round}.db`))).toMatchObject(done);
      expect(owners()).toEqual([]);
    }
    expect(await run(0, 'restore', join(home, '0.db'))).toMatchObject({ code: 0 });
    expect(owners()).toEqual([]);
  });

  it('the owner replaces files that another program left to root, and says whose a lock is', async () => {
    for (const path of pathsIn(join(home, 'dist'))) chownSync(join(home, 'dist', path), 0, 0);
    expect(await run(user, 'import', join(folder, 'three'))).toMatchObject({ code: 0, stderr: '' });
    expect(await run(user, 'build')).toMatchObject({ code: 0, stderr: '' });
    chownSync(join(home, 'dist/.awards.lock'), 0, 0);
    const { code, stderr } = await run(user, 'build');
    expect(stderr).toMatch(/^awards: [^\n]+\.awards\.lock belongs to another user \(0\); [^\n]+chown -R\n$/);
    expect(code).toBe(1);
  });
});
