/** The cost of publishing without the time of the host's answers: everything once, then one changed title at a time. */
import { buildFolder } from '../../build/build.ts';
import { openDatabase } from '../../data/open.ts';
import type { DeployApiChild, DeployApiCounts } from './child-deploy-api.ts';
import type { PublishInput, PublishResult } from './child-publish.ts';
import { runScript, startChild } from './children.ts';
import { median, seconds, timed } from './figures.ts';
import type { Row } from './table.ts';
import type { Workplace } from './workplace.ts';

/** Milliseconds of the whole process, and of the host's answers in that time. */
interface Published extends PublishResult {
  elapsed: number;
  answering: number;
}

/** @param edits number of titles changed, one after another */
export async function publishRows(workplace: Workplace, edits: number): Promise<Row[]> {
  const { database: original } = await workplace.main();
  const database = workplace.newPath('published.db');
  const source = openDatabase(original, { mustExist: true });
  await source.backup(database);
  source.close();
  const out = workplace.newPath('published');
  const connection = openDatabase(database);
  const build = () => buildFolder(connection, out, { layers: ['site', 'pages', 'lists'] });
  await build();
  const { said, stop } = await startChild<DeployApiChild>('child-deploy-api.ts', {});
  const publish = () =>
    publishOnce(said, { ...said.account, out, database, project: workplace.root, interval: 0 });
  try {
    const first = await publish();
    const later: Published[] = [];
    for (let edit = 0; edit < edits; edit += 1) {
      connection
        .prepare(
          'UPDATE movies SET title = ? WHERE id = (SELECT id FROM movies ORDER BY id LIMIT 1 OFFSET ?)',
        )
        .run(`Changed ${edit}`, 1000 * edit);
      await build();
      later.push(await publish());
    }
    return [
      row('publish everything', [first], 'within'),
      row('publish after one changed title', later, 'within', 1000),
      row('…, the whole process', later, 'elapsed'),
    ];
  } finally {
    await stop();
    connection.close();
  }
}

async function publishOnce(api: DeployApiChild, input: PublishInput): Promise<Published> {
  const counts = async () => (await (await fetch(api.counts)).json()) as DeployApiCounts;
  const before = await counts();
  const { value: report, elapsed } = await timed(() => runScript<PublishResult>('child-publish.ts', input));
  const after = await counts();
  if (
    report.scope !== 'deploy' ||
    after.uploads - before.uploads !== report.uploaded ||
    after.offences.length > 0
  )
    throw new Error(`unexpected publish: ${JSON.stringify({ report, after })}`);
  return { ...report, elapsed, answering: after.busy - before.busy };
}

function row(what: string, published: readonly Published[], time: 'within' | 'elapsed', limit?: number): Row {
  const sent = median(published.map(({ uploaded }) => uploaded));
  const beyond = median(published.map((it) => it[time] - it.answering));
  const answering = median(published.map((it) => it.answering));
  return {
    what: `${what}: ${files(sent)} of ${files(published[0]!.files)} files sent, beyond its answers`,
    ours: seconds(beyond),
    rival: 'its answers',
    figure: seconds(answering),
    ratio: beyond / answering,
    goal: limit === undefined ? '' : `≤ ${limit / 1000} s`,
    met: limit === undefined ? undefined : beyond <= limit,
  };
}

const files = (count: number): string => Math.round(count).toLocaleString('en-US');
