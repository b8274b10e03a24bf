/**
 * The only module of the bench that knows how the project builds, reads and serves in process. Everything else uses the
 * command line and HTTP. Loads the builder's modules only where they are used.
 */
import { fileSource } from '../../api/hosts/file-source.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { timed } from './figures.ts';

/** Builds everything into a new folder, without the site. @returns milliseconds */
export async function fullBuild(database: string, out: string): Promise<number> {
  const [{ build }, { openDatabase }] = await Promise.all([
    import('../support/build.ts'),
    import('../../data/open.ts'),
    // The builder loads it when it is needed; loading does not count.
    import('../../build/snapshot/compile.ts'),
  ]);
  const { elapsed } = await timed(async () => {
    const connection = openDatabase(database, { mustExist: true });
    await build(connection, out);
    connection.close();
  });
  return elapsed;
}

/** The same into memory. @returns milliseconds */
export async function buildInMemory(database: string): Promise<number> {
  const { compileInMemory } = await import('../support/build.ts');
  const { openDatabase } = await import('../../data/open.ts');
  const connection = openDatabase(database, { mustExist: true });
  const { elapsed } = await timed(() => compileInMemory(connection));
  connection.close();
  return elapsed;
}

/** A resolver that keeps no answers: the bench measures how long finding them takes. */
export const resolverOf = (source: Source) => new Resolver(source, { digest: nodeDigest, answerBytes: 0 });

export const folderSource = fileSource;
export const folderResolver = (tree: string) => resolverOf(folderSource(tree));

/** A service that only reads and has no rate limit. @param answerBytes size of its answer cache */
export async function readingService(tree: string, answerBytes: number | undefined) {
  const { createService } = await import('../../api/serve/server.ts');
  return createService({
    out: tree,
    readLimit: 0,
    ...(answerBytes !== undefined && { answerBytes }),
    proxies: [],
    onError: (error) => process.stderr.write(`${(error as Error).stack ?? String(error)}\n`),
  });
}
