/**
 * The Model Context Protocol at /mcp: streamable HTTP without sessions and streams, read-only. The same bytes
 * on every host. Lenient where clients differ: any Accept that takes JSON, any type of the body, any
 * revision, batches where the revision has them. The tools load with the first call, so a greeting costs an
 * edge little.
 */
import { maxBodyBytes } from '../contract/limits.ts';
import { unknownName } from '../contract/nearest.ts';
import { rootPath } from '../contract/routes.ts';
import {
  type Answer,
  failureAnswer,
  methodNotAllowed,
  preflight,
  problemAnswer,
  uncachedAnswer,
  withoutBody,
} from '../read/answer.ts';
import type { Resolver } from '../read/resolve.ts';
import { toolList, toolNames } from './tool-list.ts';

const allowed = ['POST', 'OPTIONS'];

/** The answer to a request that is no POST. GET would open a stream, DELETE end a session: there are none. */
export function otherMcpMethod(method: string): Answer {
  // Clients of later revisions send more headers. None is secret: there are no keys.
  if (method === 'OPTIONS') return preflight(allowed, '*');
  if (method === 'HEAD') return withoutBody(methodNotAllowed('GET', allowed));
  return methodNotAllowed(method, allowed);
}

/**
 * Answers a request to /mcp.
 * @param origin scheme and host of the site, for the addresses of pages; '' makes them relative
 */
export type Mcp = (request: Request, origin: string) => Promise<Answer>;

/** What answers the questions of the tools. */
export type AskedRecord = Pick<Resolver, 'answer' | 'answered'>;

/** Loads the code of the tools. The runtime keeps a loaded module, so later calls cost nothing. */
export const loadMcp = () => import('./tools.ts');

/** Revisions whose clients greet first; the newest is the answer to one that is not known. */
const greetingRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The revisions that have batches. A client that names none is of the oldest. */
const batchRevisions = [null, '2025-03-26', '2024-11-05'];
/** The revision whose requests name it themselves. */
const statelessRevision = '2026-07-28';
const metaPrefix = 'io.modelcontextprotocol/';
/** Messages of a batch that are answered. The rate limit counts a batch once. */
const maxBatch = 20;

const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  parameters: -32602,
  internal: -32603,
  refused: -32000,
  revision: -32022,
};

/** Why a message has no result. */
class MessageFault extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Members = Readonly<{ [name: string]: unknown }>;
interface Message {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params: Members;
}

/** @param onError called with failures of the service itself */
export function mcpService(record: AskedRecord, onError: (error: unknown) => void = () => {}): Mcp {
  return async (request, origin) => {
    if (request.method !== 'POST') return otherMcpMethod(request.method);
    try {
      if (!takesJson(request.headers.get('Accept')))
        return refusedMessage(406, 'answers are application/json, which Accept leaves out');
      const text = await textOf(request);
      if (text === undefined)
        return problemAnswer('body-too-large', `the body has more than ${maxBodyBytes} bytes`);
      const sent = parsed(text);
      if (sent === undefined) return errorAnswer(codes.parse, 'the body is not readable JSON');
      const revision = request.headers.get('MCP-Protocol-Version');
      const conversation = new Conversation(record, origin, revision, onError);
      if (!Array.isArray(sent)) return await conversation.answer(sent);
      if (!batchRevisions.includes(revision))
        return errorAnswer(codes.request, `revision ${revision} has no batches: send messages one by one`);
      if (sent.length === 0 || sent.length > maxBatch)
        return errorAnswer(codes.request, `a batch has 1 to ${maxBatch} messages`);
      const replies = await Promise.all(sent.map((message) => conversation.reply(message)));
      const answers = replies.filter((reply) => reply !== undefined);
      return answers.length === 0 ? accepted : uncachedAnswer(200, answers);
    } catch (error) {
      onError(error);
      return failureAnswer(error);
    }
  };
}

/** Answers the messages of a request. */
class Conversation {
  readonly #record: AskedRecord;
  readonly #origin: string;
  readonly #revision: string | null;
  readonly #onError: (error: unknown) => void;

  constructor(
    record: AskedRecord,
    origin: string,
    revision: string | null,
    onError: (error: unknown) => void,
  ) {
    this.#record = record;
    this.#origin = origin;
    this.#revision = revision;
    this.#onError = onError;
  }

  async answer(sent: unknown): Promise<Answer> {
    const reply = await this.reply(sent);
    if (reply === undefined) return accepted;
    const code = 'error' in reply ? reply.error.code : undefined;
    return uncachedAnswer(code === codes.request || code === codes.revision ? 400 : 200, reply);
  }

  /** The answer to a message; undefined to one that has none. */
  async reply(sent: unknown) {
    const message = messageIn(sent);
    const id = message?.id ?? null;
    try {
      if (!message) throw new MessageFault(codes.request, 'the body is no message of JSON-RPC 2.0');
      if (message.id === undefined || message.method === undefined) return undefined;
      return { jsonrpc: '2.0', id, result: await this.#result(message.method, message.params) };
    } catch (error) {
      const fault = error instanceof MessageFault ? error : this.#failure(error);
      const { code, message: text, data } = fault;
      return { jsonrpc: '2.0', id, error: { code, message: text, ...(data && { data }) } };
    }
  }

  #failure(error: unknown): MessageFault {
    this.#onError(error);
    return new MessageFault(codes.internal, 'the call could not be answered; it has been logged');
  }

  async #result(method: string, params: Members): Promise<object> {
    const meta = params._meta as Members | undefined;
    const named = meta?.[`${metaPrefix}protocolVersion`];
    if (named === undefined && this.#revision !== statelessRevision) return this.#plainResult(method, params);
    if (named !== undefined && named !== statelessRevision)
      throw new MessageFault(codes.revision, 'the revision of the protocol is not known here', {
        supported: [statelessRevision],
        requested: String(named),
      });
    const result = await this.#plainResult(method, params);
    const isKept = method === 'server/discover' || method === 'tools/list';
    return {
      ...result,
      resultType: 'complete',
      ...(isKept && { ttlMs: 0, cacheScope: 'private' }),
      _meta: { [`${metaPrefix}serverInfo`]: this.#server() },
    };
  }

  async #plainResult(method: string, params: Members): Promise<object> {
    const capabilities = { tools: {} };
    switch (method) {
      case 'initialize': {
        const asked = String(params.protocolVersion);
        const protocolVersion = greetingRevisions.includes(asked) ? asked : greetingRevisions[0];
        const instructions = await this.#instructions();
        return { protocolVersion, capabilities, serverInfo: this.#server(), instructions };
      }
      case 'server/discover': {
        const instructions = await this.#instructions();
        return { supportedVersions: [statelessRevision], capabilities, instructions };
      }
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: toolList };
      case 'tools/call':
        return this.#called(params);
      default:
        throw new MessageFault(codes.method, `there is no method "${method.slice(0, 60)}"`);
    }
  }

  async #called({ name, arguments: given }: Members): Promise<object> {
    if (typeof name !== 'string' || !toolNames.includes(name))
      throw new MessageFault(codes.parameters, unknownName('tool', String(name), toolNames, 'the tools are'));
    const { callTool } = await loadMcp();
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    return callTool(name, isObject ? (given as Members) : {}, { record: this.#record, origin: this.#origin });
  }

  #server() {
    const site = this.#origin && { websiteUrl: this.#origin };
    return { name: 'film-awards', title: 'Film Awards', version: '1.0.0', ...site };
  }

  /** What the record is, for a model; of the sample, what it lacks. */
  async #instructions(): Promise<string> {
    const about =
      'A century of film awards: nominations, winners, films, people, ceremonies, categories. Read-only. A year is that of the ceremony unless the name says film. An unknown value is null or an empty list. Cite the pages that answers name.';
    const root = await this.#record.answer({ method: 'GET', path: rootPath, queryString: '' });
    const { notice } = JSON.parse(new TextDecoder().decode(root.body ?? undefined)) as { notice?: string };
    return notice === undefined ? about : `${about} ${notice}`;
  }
}

/** Whether an Accept header takes JSON. A client without one takes anything. */
const takesJson = (accept: string | null): boolean =>
  accept === null || accept.trim() === '' || /\*\/\*|application\/(\*|json)/i.test(accept);

/** The text of a body; undefined for one above the limit, whose rest is not read. */
async function textOf({ body }: Request): Promise<string | undefined> {
  if (!body) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, length] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    if (done) break;
    length += value.length;
    if (length > maxBodyBytes) {
      reader.releaseLock();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageIn(sent: unknown): Message | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const { jsonrpc, id, method, params } = sent as Members;
  const isId = id === undefined || typeof id === 'string' || typeof id === 'number';
  const isNamed = typeof method === 'string' || 'result' in sent || 'error' in sent;
  if (jsonrpc !== '2.0' || !isId || !isNamed) return undefined;
  const own = typeof params === 'object' && params !== null ? (params as Members) : {};
  return {
    jsonrpc,
    params: own,
    ...(id !== undefined && { id }),
    ...(typeof method === 'string' && { method }),
  };
}

/** The refusal of a request whose message is not read. */
export const refusedMessage = (status: number, message: string): Answer =>
  errorAnswer(codes.refused, message, status);

/** An error of JSON-RPC, of a message whose id is not known. */
const errorAnswer = (code: number, message: string, status = 400): Answer =>
  uncachedAnswer(status, { jsonrpc: '2.0', id: null, error: { code, message } });

/** A notification has no answer, but a status. */
const accepted: Answer = (() => {
  const { headers, ...answer } = uncachedAnswer(202, {});
  const { 'Content-Type': _, ...own } = headers as { [name: string]: string };
  return { ...answer, headers: { ...own, 'Content-Length': '0' }, body: null };
})();
