/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of records: what the record itself can say. */
import { Chips, Heading, inSample, type Page, RequestShown, Rows, Section, type Visit } from '../parts.tsx';
import { type RecordKindWords, recordKinds, shortTitle } from '../record-kinds.ts';
import { type RecordList, recordLists } from '../records.ts';

export async function recordsPage(visit: Visit): Promise<Page> {
  const lists = await recordLists(visit.snapshot);
  const title = `Records${inSample(visit)}`;
  const body = (
    <>
      <Heading title={title}>
        <p class="lead">Firsts, mosts, ties and refusals, counted from the official nominations on record.</p>
      </Heading>
      <Chips label="Records" links={lists.map(({ id }) => [`#${id}`, shortTitle(id)])} />
      {lists.map((list) => recordSection(visit, list))}
    </>
  );
  const description =
    'Records of the film awards: most wins, the Big Five, most nominations without a win, ties and refusals.';
  return { title, description, body };
}

function recordSection(visit: Visit, { id, rows }: RecordList) {
  const { title, basis, unknown, api }: RecordKindWords = recordKinds[id];
  return (
    <Section key={id} id={id} title={title}>
      {rows.length > 0 && basis && <p class="soft">{basis}</p>}
      {rows.length > 0 ? <Rows rows={rows} /> : <p>{unknown}</p>}
      {api && <RequestShown visit={visit} address={api} />}
    </Section>
  );
}
