/** @jsxRuntime automatic @jsxImportSource preact */
/** The home page and the timeline of all ceremonies. */
import type { CountsList } from '../../../../api/contract/answers.ts';
import { isPerson } from '../../../../api/contract/people.ts';
import type { EntryCounts, Movie, Nomination, Nominee } from '../../../../api/contract/resources.ts';
import type { Manifest } from '../../../../api/contract/snapshot.ts';
import type { List } from '../../shared/api.ts';
import { ceremonyTitle, count, date, filmYears, joined, number, span } from '../../shared/format.ts';
import { awardsOf, leadPoster, nominationsAt, type ShownAwards } from '../awards.ts';
import { firstOfEach, groupBy, placeOf, type Ranked } from '../counts.ts';
import { type RankedResource, rankingHref, recordHref, type ShownRanking } from '../addresses.ts';
import { Bars, Decades, decadeOf } from '../parts/lists.tsx';
import { ceremonyLink, commaList, filmLink } from '../parts/nominations.tsx';
import { Heading, Section, Shown, useAnswer, useInSample, useIsSample } from '../parts/page.tsx';
import { Winners, wonAwards } from '../parts/winners.tsx';
import type { CeremonySummary, Reading } from '../record.ts';
import { rankingTitles, resourceOf } from './ranking.tsx';

const questions: readonly (readonly [text: string, href: string])[] = [
  [
    'Who has the most acting nominations since 1980?',
    rankingHref('top-nominees', 'category_group=Acting&yearStart=1980'),
  ],
  ['Which films won the most awards?', rankingHref('top-movies', 'sort=wins')],
  ['Who was nominated most and never won?', '/rankings/without-win'],
  ['Which film won Best Picture, year by year?', '/timeline'],
  ['How have the awards grown?', '/years'],
];

const maxLeaders = 5;

/** The first of a ranking, by entries. */
async function leadersOf({ ask }: Reading, resource: RankedResource): Promise<Ranked[]> {
  const { data } = await ask<List<(Movie | Nominee) & { counts: EntryCounts }>>(
    `/api/${resource}?sort=-entries&include=counts`,
  );
  // The list has companies and countries too, and orders equals by id alone.
  const ranked = data
    .filter((own) => 'title' in own || isPerson(own.filmindex_id, own.known_for_department))
    .sort((a, b) => b.counts.entries - a.counts.entries || b.counts.wins - a.counts.wins || a.id - b.id);
  const totals = ranked.map(({ counts }) => counts.entries);
  return ranked.slice(0, maxLeaders).map((own) => {
    const label = 'title' in own ? own.title : own.name;
    const { entries, wins } = own.counts;
    return { place: placeOf(entries, totals), id: own.id, label, nominations: entries, wins };
  });
}

async function loadHome(reading: Reading) {
  const [totals, { data: decades }, ceremonies, people, films] = await Promise.all([
    reading.counts(),
    reading.ask<CountsList>('/api/stats/counts?by=decade'),
    reading.ceremonies(),
    leadersOf(reading, 'nominees'),
    leadersOf(reading, 'movies'),
  ]);
  // No more than the page shows: a server embeds it.
  const years = ceremonies.map(({ ceremony_year }) => ceremony_year);
  return {
    totals,
    decades: decades.map(({ key, entries }) => ({ key: Number(key), entries })),
    years,
    people,
    films,
    latest: await loadLatest(reading, ceremonies[0]),
  };
}

interface Latest extends ShownAwards {
  ceremony: CeremonySummary;
}

async function loadLatest(
  reading: Reading,
  ceremony: CeremonySummary | undefined,
): Promise<Latest | undefined> {
  if (!ceremony) return undefined;
  const awards = wonAwards(await awardsOf(reading, await nominationsAt(reading, ceremony.id)));
  return { ceremony, awards, poster: await leadPoster(reading, awards) };
}

export function HomePage() {
  const answer = useAnswer('home', loadHome);
  return (
    <>
      <div class="hero">
        <Heading title="Who was nominated, and who won" />
        <p class="lead">
          The nominations and winners of every ceremony on record. Search above, or begin with a question.
        </p>
        <ul class="questions" aria-label="Questions to begin with">
          {questions.map(([text, href]) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </div>
      <Shown answer={answer}>
        {({ totals, decades, years, people, films, latest }) => (
          <>
            {latest && <LatestCeremony latest={latest} />}
            <div class="columns">
              <Leaders id="people" ranking="top-nominees" ranked={people} />
              <Leaders id="films" ranking="top-movies" ranked={films} />
            </div>
            <Section id="decades" title="By decade">
              <Scope totals={totals} decades={decades} years={years} />
              <Decades
                decades={decades.map(({ key }) => key).reverse()}
                hrefOf={(decade) => `/timeline#decade-${decade}`}
              />
            </Section>
          </>
        )}
      </Shown>
    </>
  );
}

/** What is on record, in entries as everywhere on the site. */
function Scope(props: {
  totals: Manifest['counts'];
  decades: readonly { entries: number }[];
  /** Of the ceremonies. */
  years: readonly number[];
}) {
  const { totals, decades, years } = props;
  const entries = decades.reduce((sum, decade) => sum + decade.entries, 0);
  const isSample = useIsSample();
  if (years.length === 0) return null;
  return (
    <p class="scope">
      {isSample ? 'In this sample' : 'On record'}: {count(entries, 'nomination')},{' '}
      {count(totals.movies, 'film')}, {number(totals.nominees)} people and companies,{' '}
      {count(totals.songs, 'song')}, {count(years.length, 'ceremony', 'ceremonies')} held{' '}
      {span(Math.min(...years), Math.max(...years))}.
    </p>
  );
}

/** Awards shown on the home page; the page of the ceremony has all. */
const maxCards = 7;

function LatestCeremony({ latest: { ceremony, awards, poster } }: { latest: Latest }) {
  return (
    <section class="latest" aria-labelledby="latest">
      <p class="above">{joined('The latest ceremony', ceremony.date && date(ceremony.date))}</p>
      <h2 id="latest">{ceremonyLink(ceremony, ceremonyTitle(ceremony))}</h2>
      <Winners ceremony={ceremony} awards={awards.slice(0, maxCards)} all={awards} poster={poster} />
      <p>
        <a href={recordHref('ceremonies', ceremony.id, ceremony.ceremony_year)}>
          {awards.length > maxCards
            ? `All ${awards.length} awards, and everyone who was nominated`
            : 'Everyone who was nominated'}
        </a>
      </p>
    </section>
  );
}

function Leaders(props: { id: string; ranking: ShownRanking; ranked: readonly Ranked[] }) {
  const { id, ranking, ranked } = props;
  const title = rankingTitles[ranking].nominations + useInSample();
  return (
    <Section id={id} title={title}>
      <Bars resource={resourceOf(ranking)} ranked={ranked} by="nominations" label={title} />
      <p>
        <a href={rankingHref(ranking)}>See the full ranking</a>
      </p>
    </Section>
  );
}

interface TimelineEntry {
  ceremony: CeremonySummary;
  /** The winners of Best Picture, one nomination per film. */
  pictures: Nomination[];
}

/** All ceremonies, newest first. @throws ApiError */
async function loadTimeline(reading: Reading): Promise<TimelineEntry[]> {
  const [ceremonies, categories] = await Promise.all([reading.ceremonies(), reading.categories()]);
  const category = categories.find(({ category_name }) => category_name === 'Best Picture');
  const { nominations } = category
    ? await reading.record<{ nominations: Nomination[] }>('categories', category.id)
    : { nominations: [] };
  const winners = nominations.filter(({ winner }) => winner);
  const byCeremony = new Map(groupBy(winners, ({ ceremony_id }) => ceremony_id));
  return ceremonies.map((ceremony) => ({
    ceremony,
    pictures: firstOfEach(byCeremony.get(ceremony.id) ?? [], ({ movie_id }) => movie_id),
  }));
}

export function TimelinePage() {
  const answer = useAnswer('timeline', loadTimeline);
  return (
    <>
      <Heading title="All ceremonies" />
      <p>Every ceremony, and the film that won Best Picture there.</p>
      <Shown answer={answer}>{(entries) => <Timeline entries={entries} />}</Shown>
    </>
  );
}

function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const groups = groupBy(entries, ({ ceremony }) => decadeOf(ceremony.ceremony_year));
  return (
    <>
      <Decades decades={groups.map(([decade]) => decade)} hrefOf={(decade) => `#decade-${decade}`} />
      {groups.map(([decade, own]) => (
        <Section key={decade} id={`decade-${decade}`} title={`${decade}s`}>
          <ol class="timeline" reversed>
            {own.map((entry) => (
              <TimelineRow key={entry.ceremony.id} entry={entry} />
            ))}
          </ol>
        </Section>
      ))}
    </>
  );
}

function TimelineRow({ entry: { ceremony, pictures } }: { entry: TimelineEntry }) {
  const films = filmYears(ceremony.movies_eligible);
  return (
    <li>
      <a class="year" href={recordHref('ceremonies', ceremony.id, ceremony.ceremony_year)}>
        {ceremony.ceremony_year}
        <span class="visually-hidden"> ceremony</span>
      </a>
      <span>{commaList(pictures, filmLink, ({ id }) => id)}</span>
      <span class="detail">
        {joined(ceremony.show_title, ceremony.date && date(ceremony.date), films && `films of ${films}`)}
      </span>
    </li>
  );
}
