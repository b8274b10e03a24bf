/**
 * The Model Context Protocol at /mcp: streamable HTTP without sessions and streams, by the official SDK,
 * read-only. The same bytes on every host. The SDK loads with the first message, so it delays nothing else;
 * "serve" loads it before it listens.
 */
import { maxBodyBytes } from '../contract/limits.ts';
import { unknownName } from '../contract/nearest.ts';
import {
  type Answer,
  failureAnswer,
  methodNotAllowed,
  preflight,
  problemAnswer,
  uncachedAnswer,
  withoutBody,
} from '../read/answer.ts';
import type { Ask } from './tools.ts';

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

/** What messages need. A program keeps loaded modules itself. */
export const loadMcp = () => Promise.all([import('@modelcontextprotocol/server'), import('./tools.ts')]);

/** @param ask answers a GET of the API @param onError called with failures of the service itself */
export function mcpService(ask: Ask, onError: (error: unknown) => void = () => {}): Mcp {
  return async (request, origin) => {
    if (request.method !== 'POST') return otherMcpMethod(request.method);
    try {
      const [sdk, tools] = await loadMcp();
      const body = await sdk.readRequestBody(request, maxBodyBytes).catch(() => undefined);
      if (body?.tooLarge)
        return problemAnswer('body-too-large', `the body has more than ${maxBodyBytes} bytes`);
      const message = parsed(body?.text);
      if (message === undefined) return errorAnswer(sdk.PARSE_ERROR, 'the body is not readable JSON');
      // The limit counts requests.
      if (Array.isArray(message))
        return errorAnswer(sdk.INVALID_REQUEST, 'a batch is not read here: send its messages one by one');

      const context = { ask, origin };
      const makeServer = async () => {
        const server = new sdk.Server(
          {
            name: 'film-awards',
            title: 'Film Awards',
            version: '1.0.0',
            ...(origin && { websiteUrl: origin }),
          },
          {
            capabilities: { tools: {} },
            ...(isGreeting(message) && { instructions: await tools.instructions(context) }),
            // It checks the answers of people to forms, which no tool asks for.
            jsonSchemaValidator: {
              getValidator: () => () => ({ valid: false, data: undefined, errorMessage: '' }),
            },
          },
        );
        server.setRequestHandler('tools/list', () => ({ tools: tools.toolList() }));
        server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
          if (!tools.toolNames.includes(name))
            throw new sdk.ProtocolError(
              sdk.INVALID_PARAMS,
              unknownName('tool', name, tools.toolNames, 'the tools are'),
            );
          return tools.callTool(name, given, context).catch((error: unknown) => {
            onError(error);
            // The SDK would pass the message on.
            throw new sdk.ProtocolError(
              sdk.INTERNAL_ERROR,
              'the call could not be answered; it has been logged',
            );
          });
        });
        return server;
      };
      const sent = { parsedBody: message };
      if (!(await sdk.isLegacyRequest(request, message))) {
        // A subscription would be a stream: there is room for none.
        const handler = sdk.createMcpHandler(makeServer, { legacy: 'reject', maxSubscriptions: 0 });
        return await answerOf(await handler.fetch(request, sent));
      }
      const server = await makeServer();
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        return await answerOf(await transport.handleRequest(request, sent));
      } finally {
        await server.close();
      }
    } catch (error) {
      onError(error);
      return failureAnswer(error);
    }
  };
}

/** Whether the answer to a message has instructions. */
const isGreeting = (message: unknown): boolean =>
  ['initialize', 'server/discover'].includes((message as { method?: string } | null)?.method ?? '');

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** An error of JSON-RPC, of a message whose id is not known. */
const errorAnswer = (code: number, message: string): Answer =>
  uncachedAnswer(400, { jsonrpc: '2.0', error: { code, message }, id: null });

/** A notification has no answer, but a status. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const answer = uncachedAnswer(response.status, text === '' ? {} : (JSON.parse(text) as object));
  if (text !== '') return answer;
  const { 'Content-Type': _, ...headers } = answer.headers as Record<string, string>;
  return { ...answer, headers: { ...headers, 'Content-Length': '0' }, body: null };
}
