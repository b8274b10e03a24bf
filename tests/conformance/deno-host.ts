/**
 * Runs in Deno: Netlify's edge functions and the files of the snapshot on one loopback port. Arguments: the folder of the
 * snapshot, and optionally the origin of the write service. Prints the port; ends with its standard input.
 */
import type { default as Answer } from '../../api/edge/netlify/read.ts';
import { secret } from './write-echo.ts';

interface DenoGlobal {
  args: string[];
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request) => Promise<Response>,
  ): void;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  stdin: { readable: ReadableStream<Uint8Array> };
  exit(code: number): never;
}
declare const Deno: DenoGlobal;

const [folder, writeOrigin] = Deno.args;
const variables: Record<string, string | undefined> = { WRITE_ORIGIN: writeOrigin, WRITE_SECRET: secret };
Object.assign(globalThis, { Netlify: { env: { get: (name: string) => variables[name] } } });

type Entry = { default: typeof Answer; config: { path: readonly string[]; method?: readonly string[] } };
// Imported after the global that they read is set.
const entries: Entry[] = [
  await import('../../api/edge/netlify/write.ts'),
  await import('../../api/edge/netlify/read.ts'),
];

const covers = ({ config }: Entry, method: string, pathname: string) =>
  (config.method?.includes(method) ?? true) &&
  config.path.some((path) =>
    new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(pathname),
  );

async function file(pathname: string): Promise<Response> {
  try {
    return new Response(await Deno.readFile(`${folder}${pathname.replace(/^\/pages\/api\//, '/api/')}`));
  } catch {
    return new Response('none', { status: 404 });
  }
}

Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => tell(port) }, async (request) => {
  const { pathname } = new URL(request.url);
  const entry = entries.find((candidate) => covers(candidate, request.method, pathname));
  return entry ? entry.default(request, { ip: '192.0.2.1' }) : file(pathname);
});

function tell(port: number): void {
  // biome-ignore lint/suspicious/noConsole: how Deno prints
  console.log(port);
}
for await (const _ of Deno.stdin.readable);
Deno.exit(0);
