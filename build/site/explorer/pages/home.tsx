/** The first page: what this is, questions to begin with, the latest ceremony, and who leads. */
import type { Ceremony } from '../../../../api/contract/resources.ts';
import { rankingHref, recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { number } from '../format.ts';
import { Bars } from '../parts/bars.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { ask, counts } from '../record.ts';
import { decadeOf } from './category.tsx';
import { rankedFrom } from './ranking.tsx';

const leaders = 5;

const questions: readonly (readonly [text: string, href: string])[] = [
  [
    'Who has the most acting nominations since 1980?',
    rankingHref('top-nominees', 'category_group=Acting&yearStart=1980'),
  ],
  ['Which films won the most awards?', rankingHref('top-movies', 'sort=wins')],
  ['Which songs were nominated?', '/nominations?is_song=true'],
  ['What won Best Picture, year by year?', '/timeline'],
  ['How have the awards grown?', '/years'],
];

async function loadHome() {
  const [totals, { data: ceremonies }, people, films] = await Promise.all([
    counts(),
    ask<{ data: Ceremony[] }>('/api/ceremonies'),
    rankedFrom('/api/stats/top-nominees'),
    rankedFrom('/api/stats/top-movies'),
  ]);
  return {
    totals,
    ceremonies,
    people: people.slice(0, leaders),
    films: films.slice(0, leaders),
  };
}

export function HomePage() {
  const answer = useAnswer('home', loadHome);
  return (
    <>
      <div class="hero">
        <Heading title="A century of film awards" />
        <p class="lead">
          Every nomination and who won, from the first ceremony to the latest. Search above, or begin with a
          question.
        </p>
        <ul class="questions" aria-label="Questions to begin with">
          {questions.map(([text, href]) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </div>
      <Shown answer={answer} what="record">
        {({ totals, ceremonies, people, films }) => (
          <>
            <p class="scope">
              On record: {number(totals.nominations)} nominations, {number(totals.movies)} films,{' '}
              {number(totals.nominees)} people and companies, {number(ceremonies.length)} ceremonies.
            </p>
            {ceremonies[0] && <Latest ceremony={ceremonies[0]} />}
            <div class="columns">
              <Section id="people" title="Most nominated people">
                <Bars ranked={people} by="nominations" label="Most nominated people" />
                <p>
                  <a href={rankingHref('top-nominees')}>All the most nominated people</a>
                </p>
              </Section>
              <Section id="films" title="Most nominated films">
                <Bars ranked={films} by="nominations" label="Most nominated films" />
                <p>
                  <a href={rankingHref('top-movies')}>All the most nominated films</a>
                </p>
              </Section>
            </div>
            <Decades ceremonies={ceremonies} />
          </>
        )}
      </Shown>
    </>
  );
}

function Latest({ ceremony }: { ceremony: Ceremony }) {
  return (
    <section class="latest" aria-labelledby="latest">
      <p class="above">The latest ceremony</p>
      <h2 id="latest">
        <a href={recordHref('ceremonies', ceremony.id)}>
          {ceremony.show_title ?? `Ceremony of ${ceremony.ceremony_year}`}
        </a>
      </h2>
      <p class="prose">{ceremony.overview}</p>
    </section>
  );
}

function Decades({ ceremonies }: { ceremonies: readonly Ceremony[] }) {
  const decades = [...new Set(ceremonies.map(({ ceremony_year }) => decadeOf(ceremony_year)))];
  return (
    <Section id="decades" title="By decade">
      <nav class="chips" aria-label="Decades">
        {decades.map((decade) => (
          <a key={decade} href={`/timeline#decade-${decade}`}>
            {decade}s
          </a>
        ))}
      </nav>
    </Section>
  );
}
