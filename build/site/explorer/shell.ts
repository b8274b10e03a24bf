/** The shell of the pages: index.html, which gets the head and the body of each page, or a message. */
import { problems } from '../../../api/contract/problems.ts';
import type { Answer } from '../../../api/read/answer.ts';
import { AnswerCache } from '../../../api/read/answer-cache.ts';
import { SnapshotUnavailable } from '../../../api/read/source.ts';
import {
  contentTypeOf,
  escapedHtml,
  explorerPage,
  fileHeaders,
  imageOriginsMeta,
  shellClass,
} from '../shared/hosting.ts';
import { messageBody } from './frame.tsx';
import type { RenderedPage } from './render.tsx';

export interface Message {
  title: string;
  text: string;
}

const tooMany: Message = {
  title: 'Too many requests',
  text: 'This address sent too many requests in the last minute. Try again in a minute.',
};

/** index.html as a host of plain files sends it. A page is this document with another head and body. */
export interface Shell {
  bytes: Uint8Array;
  text: string;
  imageOrigins: string[];
  /** Pages made with it. */
  pages: AnswerCache;
  /** The page for a client beyond a limit. It must cost less than the pages that it refuses. */
  refusal?: Answer;
}

export const pageHeaders = ({ imageOrigins }: Shell) => ({
  'Content-Type': contentTypeOf(explorerPage),
  ...fileHeaders(explorerPage, imageOrigins),
});

export const tooManyAnswer = (shell: Shell): Answer =>
  (shell.refusal ??= messageAnswer(shell, 'too-many-requests', tooMany, {}));

/** A page that says why there is no other one. */
export function messageAnswer(
  shell: Shell,
  code: 'snapshot-unavailable' | 'too-many-requests',
  { title, text }: Message,
  headers: Readonly<Record<string, string>>,
): Answer {
  const head = '<meta name="robots" content="noindex">\n';
  const body = encoder.encode(
    filled(shell, { title, description: text, head, body: messageBody(title, text) }),
  );
  const own = { ...pageHeaders(shell), 'Cache-Control': 'no-store', 'Content-Length': String(body.length) };
  return { status: problems[code].status, headers: { ...own, ...headers }, body };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one === other || (one.length === other.length && one.every((byte, i) => byte === other[i]));

const bodyPattern = new RegExp(`<body class="${shellClass}">[\\s\\S]*</body>`);

/** Other hosts that the pages of a shell may show posters of. */
function imageOriginsIn(shell: string): string[] {
  const content = new RegExp(`<meta name="${imageOriginsMeta}" content="([^"]*)">`).exec(shell)?.[1] ?? '';
  return content
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .split(' ')
    .filter(Boolean);
}

/** The page as HTML. */
export function filled(
  { text }: Shell,
  { title, description, head, body }: Pick<RenderedPage, 'title' | 'description' | 'head' | 'body'>,
): string {
  return text
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapedHtml(title)}</title>`)
    .replace(
      /<meta name="description" content="[^"]*">/,
      () => `<meta name="description" content="${escapedHtml(description)}">`,
    )
    .replace('</head>', () => `${head}</head>`)
    .replace(bodyPattern, () => `<body>${body}</body>`);
}

export const encoder = new TextEncoder();

/**
 * The shell in a file.
 * @param cacheBytes bytes of pages kept in memory
 * @param last the shell of the last request: it stays while the file has the same bytes
 * @throws SnapshotUnavailable if the file is damaged
 */
export function shellOf(bytes: Uint8Array, cacheBytes: number, last: Shell | undefined): Shell {
  if (last && isSame(last.bytes, bytes)) return last;
  const text = new TextDecoder().decode(bytes);
  // A host may answer with a page of its own.
  if (!bodyPattern.test(text)) throw new SnapshotUnavailable(`${explorerPage} is damaged`);
  return { bytes, text, imageOrigins: imageOriginsIn(text), pages: new AnswerCache(cacheBytes) };
}
