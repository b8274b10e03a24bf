/** The route of /mcp: messages as requests of the web. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mcpPath } from '../../build/site/shared/hosting.ts';
import { type AskedRecord, loadMcp, mcpService, otherMcpMethod, refusedMessage } from '../mcp/mcp.ts';
import { type Handler, sending } from './sending.ts';

interface McpOptions {
  /** Answers a GET of the API. */
  answer: AskedRecord['answer'];
  answered: AskedRecord['answered'];
  /** Scheme and host of the site. Without it messages are answered with those that the client has used. */
  origin?: string | undefined;
  onError: (error: unknown) => void;
}

/**
 * @param limit counts the messages that a handler answers
 * @returns what loads the code of messages, and the answer to a method that is not routed
 */
export function addMcpRoute(
  app: FastifyInstance,
  limit: (handler: Handler) => Handler,
  { answer, answered, origin, onError }: McpOptions,
) {
  const service = mcpService({ answer, answered }, onError);
  const answerMessage = limit(async (sent) => {
    if (origin === undefined && isForeign(sent))
      return refusedMessage(403, 'this service answers pages of its own machine alone');
    const { raw, headers } = sent;
    // What is not read of the body must neither end the connection nor stop the next request on it.
    const body = raw.iterator({ destroyOnReturn: false }) as never;
    const options = { method: 'POST', headers: headers as Record<string, string>, body, duplex: 'half' };
    const request = new Request(`http://localhost${mcpPath}`, options);
    const found = await service(request, origin ?? originOf(sent));
    await request.body?.cancel().catch(() => {});
    raw.resume();
    return found;
  });
  const answerAny = sending((request, reply) =>
    request.method === 'POST' ? answerMessage(request, reply) : otherMcpMethod(request.method),
  );
  // A hook answers, and no handler: Fastify would check the media type and the body, before the limit. It
  // takes no `done`.
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => answerAny(request, reply);
  for (const path of [mcpPath, `${mcpPath}/`])
    app.all(path, { config: { kind: 'mcp' }, onRequest }, () => {});
  return { load: loadMcp, answerOther: otherMcpMethod };
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a page of another site asks a service that listens on loopback, and that no proxy makes public: a
 * browser sends what such a page wants to the programs of its own machine.
 */
function isForeign({ raw, headers: { origin }, host }: FastifyRequest): boolean {
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(raw.socket.localAddress ?? '') && loopback.test(host);
  return isLocal && origin !== undefined && !loopback.test(origin.replace(/^https?:\/\//i, ''));
}

/**
 * Scheme and host that a client has used; '' if they are no such address. For answers that no cache keeps: it
 * would give them to others.
 */
function originOf({ protocol, host }: FastifyRequest): string {
  const isHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
  return isHost ? `${protocol}://${host}` : '';
}
