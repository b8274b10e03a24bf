/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of an honor. */
import type { Honor, Nominee } from '../../../../api/contract/resources.ts';
import { honorTitle, titleCased } from '../../shared/format.ts';
import { Facts, RecordLinks } from '../parts/facts.tsx';
import { commaList, recordLink } from '../parts/nominations.tsx';
import { Heading, recordPage } from '../parts/page.tsx';
import type { Reading } from '../record.ts';

/** An honor with the recipients who have a page. */
interface WholeHonor extends Honor {
  people: { id: number; name: string }[];
}

async function loadHonor({ record }: Reading, id: number): Promise<WholeHonor> {
  const honor = await record<Honor>('honors', id);
  const people = await Promise.all(honor.nominee_ids.map((own) => record<Nominee>('nominees', own)));
  return { ...honor, people: people.map(({ id: own, name }) => ({ id: own, name })) };
}

/** An honorary, scientific or technical award. */
function HonorContent({ record: honor }: { record: WholeHonor }) {
  const { people, category, citation, movie, movie_id, ceremony_id, ceremony_year } = honor;
  return (
    <article>
      <Heading title={honorTitle(honor)} above={<a href="/honors">Honors</a>}>
        <p class="tally">
          {titleCased(category)} · {ceremony_year}
        </p>
      </Heading>
      {citation && <p class="prose">{citation}</p>}
      <Facts
        facts={[
          ['Also nominated', people.length > 0 && commaList(people, personLink, ({ id }) => String(id))],
          ['Film', movie_id !== null && recordLink('movies', movie_id, movie!)],
          ['Ceremony', recordLink('ceremonies', ceremony_id, String(ceremony_year))],
        ]}
      />
      <RecordLinks resource="honors" id={honor.id} />
    </article>
  );
}

const personLink = ({ id, name }: { id: number; name: string }) => recordLink('nominees', id, name);

export const HonorPage = recordPage('honors', HonorContent, loadHonor);
