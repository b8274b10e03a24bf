/**
 * The SQL alternative as a service, in a process of its own: Fastify in front of SqlAnswers. It also changes a film's title,
 * without a key or a receipt: the cost of the database alone.
 */
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import Fastify, { type FastifyReply } from 'fastify';
import { parseId } from '../../api/contract/query-string.ts';
import { routes } from '../../api/contract/routes.ts';
import { fold, tokens } from '../../api/contract/text.ts';
import { childInput, endWithInput, report } from './child.ts';
import { SqlAnswers } from './sql-answers.ts';

const { file } = childInput<{ file: string }>();
const answers = new SqlAnswers(file);

// The contract's own parser reads the query string, as in the resolver; Fastify's would be work done twice.
const service = Fastify({ logger: false, routerOptions: { querystringParser: (text) => ({ text }) } });

function send(reply: FastifyReply, text: string | undefined): FastifyReply {
  reply.header('Content-Type', 'application/json; charset=utf-8').header('Access-Control-Allow-Origin', '*');
  return text === undefined ? reply.code(404).send('{"status":404}') : reply.send(text);
}

for (const [pattern, route] of routes)
  service.get<{ Params: { id?: string }; Querystring: { text?: string } }>(
    pattern.replace('{id}', ':id'),
    async ({ params: { id }, query: { text = '' } }, reply) =>
      send(reply, answers.respond(route, id === undefined ? undefined : parseId(id), text)),
  );

// Opened at the first change: it puts the file into WAL mode, which would slow down a service that only reads.
let changeTitle: ReturnType<typeof titleChanges> | undefined;
service.patch<{ Params: { id: string }; Body: { title: string } }>(
  '/api/movies/:id',
  async (request, reply) => {
    const id = parseId(request.params.id);
    changeTitle ??= titleChanges(file);
    const changed = id !== undefined && changeTitle(id, request.body.title);
    return send(reply, changed ? answers.answer(`/api/movies/${id}`, '') : undefined);
  },
);

/** Changes a title in its table and in the full-text index, durably. The function returns false if there is no such film. */
function titleChanges(path: string): (id: number, title: string) => boolean {
  const database = new Database(path, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const words = (text: string): string => tokens(text).join(' ');
  const current = database.prepare<[number], string>('SELECT title FROM movies WHERE id = ?').pluck();
  const update = database.prepare('UPDATE movies SET title = ?, title_folded = ? WHERE id = ?');
  const indexed = database.prepare<[number], { id: number; nominee: string; category: string }>(
    `SELECT n.id, p.name AS nominee, c.category_name AS category FROM nominations n
       JOIN nominees p ON p.id = n.nominee_id JOIN categories c ON c.id = n.category_id WHERE n.movie_id = ?`,
  );
  // An FTS5 table without content needs the old text to delete a row.
  const remove = database.prepare(
    `INSERT INTO nomination_text (nomination_text, rowid, nominee, movie, category) VALUES ('delete', ?, ?, ?, ?)`,
  );
  const add = database.prepare(
    'INSERT INTO nomination_text (rowid, nominee, movie, category) VALUES (?, ?, ?, ?)',
  );
  const change = database.transaction((id: number, title: string) => {
    const old = current.get(id);
    if (old === undefined) return false;
    update.run(title, fold(title), id);
    for (const { id: nomination, nominee, category } of indexed.all(id)) {
      remove.run(nomination, words(nominee), words(old), words(category));
      add.run(nomination, words(nominee), words(title), words(category));
    }
    return true;
  });
  return (id, title) => change.immediate(id, title);
}

await service.listen({ port: 0, host: '127.0.0.1' });
report((service.server.address() as AddressInfo).port);
endWithInput();
