/**
 * The SQL alternative as a service: Fastify in front of SqlAnswers, in a process of its own. It takes a film's new title too,
 * from anybody and without a receipt: what is measured is what the database alone costs.
 */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { parseId, type Route, routes } from '../../api/contract/routes.ts';
import { childInput, endWithInput, report } from './child.ts';
import { SqlAnswers } from './sql-answers.ts';
import { SqlTitles } from './sql-titles.ts';

const { file } = childInput<{ file: string }>();
const answers = new SqlAnswers(file);

// The query string is read by the contract's own parser, like the resolver's; Fastify's would be work done twice.
const service = Fastify({ logger: false, routerOptions: { querystringParser: (text) => ({ text }) } });

for (const [pattern, route] of routes) addRoute(pattern, route);

function addRoute(pattern: string, route: Route): void {
  service.get<{ Params: { id?: string }; Querystring: { text?: string } }>(
    pattern.replace('{id}', ':id'),
    async (request, reply) => {
      const { id } = request.params;
      const text = answers.respond(
        route,
        id === undefined ? undefined : parseId(id),
        request.query.text ?? '',
      );
      reply
        .header('Content-Type', 'application/json; charset=utf-8')
        .header('Access-Control-Allow-Origin', '*');
      if (text === undefined) return reply.code(404).send('{"status":404}');
      return reply.send(text);
    },
  );
}

// Opened when first needed: it puts the file into WAL mode, and whoever only reads is not to pay for that.
let titles: SqlTitles | undefined;
service.patch<{ Params: { id: string }; Body: { title: string } }>(
  '/api/movies/:id',
  async (request, reply) => {
    const id = parseId(request.params.id);
    titles ??= new SqlTitles(file);
    if (id === undefined || !titles.change(id, request.body.title))
      return reply.code(404).send('{"status":404}');
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(answers.answer(`/api/movies/${id}`, ''));
  },
);

await service.listen({ port: 0, host: '127.0.0.1' });
report((service.server.address() as AddressInfo).port);
endWithInput();
