/** The floor under every service: a bare node:http server that answers everything with one prebuilt buffer. */
import { createServer } from 'node:http';
import { childInput, serveUntilInputEnds } from './child.ts';

const { bytes } = childInput<{ bytes: number }>();
const body = Buffer.alloc(bytes, ' ');
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes) };
serveUntilInputEnds(
  createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  }),
);
