/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a person or a company. */
import type { Nominee, StoredBeside } from '../../../../api/contract/resources.ts';
import { date } from '../../shared/format.ts';
import { compareHref, hrefOf, rankingHref } from '../addresses.ts';
import { imageSource, isShown, Portrait } from '../cards.tsx';
import { personSentence } from '../happened.ts';
import { NominationTable } from '../nominations.tsx';
import {
  elsewhere,
  externalLink,
  Facts,
  Happened,
  Heading,
  otherNamesFact,
  type Page,
  RecordLinks,
  Section,
  TallyLine,
  type Visit,
} from '../parts.tsx';
import { type DetailedNomination, nominated, tallyOf } from '../record.ts';
import { tallyText } from './award-texts.ts';
import { careerOf, honorsOfPerson, personThing } from './career.tsx';

/** "1979", or "1979, about 30 years old" where the birthday is known; undefined without nominations. */
function firstYear(nominations: readonly DetailedNomination[], birthday: string | null): string | undefined {
  const year = tallyOf(nominations).years?.[0];
  if (year === undefined) return undefined;
  return birthday === null ? String(year) : `${year}, about ${year - Number(birthday.slice(0, 4))} years old`;
}

/** @throws Refusal */
export async function personPage(visit: Visit, id: number): Promise<Page> {
  const person = await nominated<Nominee & StoredBeside<'nominees'>>(visit.snapshot, 'nominees', id);
  const { name, nominations, known_for_department: department, birthday } = person;
  const honors = await honorsOfPerson(visit, id);
  const won = nominations.filter(({ winner }) => winner);
  const tally = tallyOf(nominations);
  const isLogo = person.filmindex_id?.startsWith('co') === true;
  const hasPortrait = isShown(visit, person.profile_path);
  const body = (
    <article class={hasPortrait ? 'record' : undefined}>
      {hasPortrait && (
        <div class="portrait">
          <Portrait
            visit={visit}
            address={person.profile_path}
            alt={`${isLogo ? 'Logo' : 'Portrait'} of ${name}`}
            isLogo={isLogo}
          />
          {imageSource(person.profile_path)}
        </div>
      )}
      <div>
        <Heading title={name} above={<a href="/nominees">People and companies</a>}>
          <TallyLine visit={visit} tally={tally} />
          <Happened sentences={[personSentence(nominations), honors.sentence]} />
        </Heading>
        {person.biography && <p class="prose">{person.biography}</p>}
        <Facts
          facts={[
            [
              'Known for',
              department && (
                <a
                  href={rankingHref(
                    'top-nominees',
                    String(new URLSearchParams({ known_for_department: department })),
                  )}
                >
                  {department}
                </a>
              ),
            ],
            otherNamesFact(person.other_names),
            ['First nominated', firstYear(nominations, birthday)],
            ['First won', firstYear(won, birthday)],
            ['Born', birthday && date(birthday)],
            ['Died', person.deathday && date(person.deathday)],
            ['Place of birth', person.place_of_birth],
            ['Website', externalLink(person.homepage, 'official website')],
            ['Portrait', !hasPortrait && imageSource(person.profile_path)],
          ]}
        />
        {await careerOf(visit, person)}
        {nominations.length > 0 && (
          <Section id="nominations" title="Nominations">
            <NominationTable
              caption={`Nominations of ${name}, latest first`}
              nominations={[...nominations].reverse()}
              shown={['year', 'film', 'category', 'outcome']}
            />
          </Section>
        )}
        {honors.list}
        <RecordLinks visit={visit} resource="nominees" id={id}>
          <a href={compareHref('nominees', [id])}>Compare with someone else</a>
          {elsewhere(person.filmindex_id, ['person', person.moviedb_person_id])}
        </RecordLinks>
      </div>
    </article>
  );
  return {
    title: name,
    description: `${name}: ${tallyText(visit, tally, nominations)}`,
    body,
    canonical: hrefOf('nominees', person),
    type: 'profile',
    thing: personThing(person),
  };
}
