/**
 * Requests of known clients of the Model Context Protocol, written by hand from the protocol and from what the clients send: the official
 * SDKs in both kinds of revision, FastMCP, mcp-remote, curl, and connectors of ChatGPT.
 */

export interface ClientRequest {
  client: string;
  path?: string;
  headers: Readonly<Record<string, string>>;
  message: object;
  /** The status; 200 by default. */
  status?: number;
  /** A part of the answer. */
  answer?: object;
}

const json = { 'Content-Type': 'application/json' };
const both = { ...json, Accept: 'application/json, text/event-stream' };
const message = (method: string, params?: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const call = (name: string, given: unknown) => message('tools/call', { name, arguments: given });
const greeting = (protocolVersion: string) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }, 0);
const prefix = 'io.modelcontextprotocol/';
const _meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'c', version: '1' },
  [`${prefix}clientCapabilities`]: {},
};
const stateless = (method: string, more: object = {}): Omit<ClientRequest, 'client'> => ({
  headers: { ...both, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
  message: message(method, { ...more, _meta }),
});
const tools = { result: { tools: [{ name: 'search' }, { name: 'fetch' }] } };
const pong = { id: 1, result: {} };

export const knownClients: readonly ClientRequest[] = [
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((revision) => ({
    client: `an SDK of revision ${revision}`,
    headers: both,
    message: greeting(revision),
    answer: { result: { protocolVersion: revision } },
  })),
  {
    client: 'an SDK of a revision to come',
    headers: both,
    message: greeting('2030-01-01'),
    answer: { result: { protocolVersion: '2025-11-25' } },
  },
  {
    client: 'an SDK after its greeting',
    headers: { ...both, 'MCP-Protocol-Version': '2025-06-18' },
    message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    status: 202,
  },
  {
    client: 'an SDK with an id that is a text',
    headers: both,
    message: message('ping', {}, 'a-1'),
    answer: { id: 'a-1' },
  },
  {
    client: 'an SDK of the stateless revision',
    ...stateless('server/discover'),
    answer: { result: { supportedVersions: ['2026-07-28'], resultType: 'complete' } },
  },
  { client: 'an SDK of the stateless revision, tools', ...stateless('tools/list'), answer: tools },
  {
    client: 'an SDK of the stateless revision, a call',
    ...stateless('tools/call', { name: 'count', arguments: { by: 'decade' } }),
    answer: { result: { structuredContent: { data: [{}] } } },
  },
  {
    client: 'an SDK of a stateless revision to come',
    headers: { ...both, 'MCP-Protocol-Version': '2031-01-01' },
    message: message('tools/list', { _meta: { [`${prefix}protocolVersion`]: '2031-01-01' } }),
    status: 400,
    answer: { error: { code: -32022, data: { supported: ['2026-07-28'] } } },
  },
  ...['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.9'].map((Accept) => ({
    client: `a client that accepts ${Accept}`,
    headers: { ...json, Accept },
    message: message('ping'),
    answer: pong,
  })),
  { client: 'a client without Accept and Content-Type', headers: {}, message: message('ping'), answer: pong },
  {
    client: 'curl -d',
    headers: { Accept: '*/*', 'Content-Type': 'application/x-www-form-urlencoded' },
    message: message('tools/list'),
    answer: tools,
  },
  {
    client: 'a client that takes streams alone',
    headers: { ...json, Accept: 'text/event-stream' },
    message: message('ping'),
    status: 406,
  },
  {
    client: 'mcp-remote, with a slash',
    path: '/mcp/',
    headers: both,
    message: message('tools/list'),
    answer: tools,
  },
  {
    client: 'a batch of revision 2025-03-26',
    headers: { ...both, 'MCP-Protocol-Version': '2025-03-26' },
    message: [
      message('ping'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      message('ping', {}, 2),
    ],
    answer: [pong, { id: 2, result: {} }],
  },
  {
    client: 'a batch of a later revision',
    headers: { ...both, 'MCP-Protocol-Version': '2025-06-18' },
    message: [message('ping')],
    status: 400,
    answer: { error: { code: -32600 } },
  },
  // FastMCP and models fill optional arguments.
  ...[
    { by: 'decade', year: null, category: '', movie: 'null', yearStart: 0, winner: '' },
    { by: 'decade', category_ids: '[1,3]', ids: [], winner: 'True' },
    { by: 'decade', category_ids: '1, 3' },
  ].map((given, i) => ({
    client: `FastMCP with optional arguments ${i}`,
    headers: both,
    message: call('count', given),
    answer: { result: { structuredContent: { data: [{}] } } },
  })),
  {
    client: 'a client with no arguments',
    headers: both,
    message: message('tools/call', { name: 'search', arguments: null }),
    answer: { result: { isError: true, content: [{ text: 'query is required' }] } },
  },
  ...['query', 'q'].map((name) => ({
    client: `a connector of ChatGPT, search by ${name}`,
    headers: both,
    message: call('search', { [name]: 'ann' }),
    answer: { result: { structuredContent: { results: [{}] } } },
  })),
  {
    client: 'a connector of ChatGPT, fetch',
    headers: both,
    message: call('fetch', { id: 'movies/27' }),
    answer: { result: { structuredContent: { id: 'movies/27' } } },
  },
];
