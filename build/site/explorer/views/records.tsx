/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of records: what the record itself can say. */
import { Chips, Heading, inSample, type Page, Rows, Section, type Visit } from '../parts.tsx';
import { recordLists } from '../records.ts';

export async function recordsPage(visit: Visit): Promise<Page> {
  const lists = await recordLists(visit.snapshot);
  const title = `Records${inSample(visit)}`;
  const body = (
    <>
      <Heading title={title}>
        <p class="lead">Firsts, mosts, ties and refusals, counted from the official nominations on record.</p>
      </Heading>
      <Chips label="Records" links={lists.map(({ id, title: text }) => [`#${id}`, text.split(':')[0]!])} />
      {lists.map((list) => (
        <Section key={list.id} id={list.id} title={list.title}>
          <Rows rows={list.rows} />
        </Section>
      ))}
    </>
  );
  const description =
    'Records of the film awards: most wins, the Big Five, most nominations without a win, ties and refusals.';
  return { title, description, body };
}
