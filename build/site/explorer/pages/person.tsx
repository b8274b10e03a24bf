/** The page of a nominee, a person or a company: what is known, and every nomination. */
import type { Nomination, Nominee } from '../../../../api/contract/resources.ts';
import { useAnswer } from '../answers.ts';
import { tallyOf } from '../entries.ts';
import { count, date } from '../format.ts';
import { elsewhere, Facts, Picture, RecordLinks, TallyLine } from '../parts/facts.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { askRecord } from '../record.ts';

type Person = Nominee & { nominations: Nomination[] };

export function PersonPage({ id }: { id: number }) {
  const answer = useAnswer(`nominees/${id}`, () => askRecord<Person>('nominees', id));
  return (
    <Shown answer={answer} what="person or company">
      {(person) => <PersonShown person={person} />}
    </Shown>
  );
}

function PersonShown({ person }: { person: Person }) {
  const { name, nominations } = person;
  const latestFirst = [...nominations].reverse();
  return (
    <article class="record">
      <Picture address={person.profile_path} name={name} kind="person" />
      <div>
        <Heading title={name} above={<a href="/nominees">People and companies</a>}>
          <TallyLine tally={tallyOf(nominations)} />
        </Heading>
        {person.biography && <p class="prose">{person.biography}</p>}
        <Facts
          facts={[
            ['Known for', person.known_for_department && <Department name={person.known_for_department} />],
            ['Born', person.birthday && date(person.birthday)],
            ['Died', person.deathday && date(person.deathday)],
            ['Place of birth', person.place_of_birth],
            ['Website', elsewhere(person.homepage, 'official website')],
            ['Portrait', elsewhere(person.profile_path, 'on another site')],
          ]}
        />
        {nominations.length > 0 && (
          <Section id="nominations" title="Nominations">
            <NominationTable
              caption={`${count(nominations.length, 'nomination')} of ${name}, latest first`}
              nominations={latestFirst}
              shown={['year', 'film', 'category', 'outcome']}
              each
            />
          </Section>
        )}
        <RecordLinks resource="nominees" id={person.id} />
      </div>
    </article>
  );
}

const Department = ({ name }: { name: string }) => (
  <a href={`/rankings/top-nominees?${new URLSearchParams({ known_for_department: name })}`}>{name}</a>
);
