/** @jsxRuntime automatic @jsxImportSource preact */
/** The home page, and the downloads. */
import type { CountsList, DownloadIndex } from '../../../../api/contract/answers.ts';
import { downloadIndexPath, downloadsFolder } from '../../../../api/contract/layers.ts';
import { defaultQuery } from '../../../../api/contract/addresses.ts';
import { countsPath } from '../../../../api/contract/routes.ts';
import { ceremonyTitle, count, date, joined, number, size, span } from '../../shared/format.ts';
import { rankingHref } from '../addresses.ts';
import { ceremonyLink } from '../nominations.tsx';
import { Bars, Chips, Decades, Heading, inSample, type Page, Section, type Visit } from '../parts.tsx';
import { ask, ceremoniesOf, groupBy, rank } from '../record.ts';
import { winnersOf } from './awards.tsx';

const questions: readonly (readonly [href: string, text: string])[] = [
  [
    rankingHref('top-nominees', 'category_group=Acting&yearStart=1980'),
    'Who has the most acting nominations since 1980?',
  ],
  [rankingHref('top-movies', 'sort=wins'), 'Which films won the most awards?'],
  [rankingHref('top-nominees', 'sort=unrewarded'), 'Who was nominated most and never won?'],
  ['/timeline', 'Which film won Best Picture, year by year?'],
  ['/years', 'How have the awards grown?'],
];

const leaders = 5;
/** Winners shown here; the page of the ceremony has all. */
const maxCards = 7;

export async function homePage(visit: Visit): Promise<Page> {
  const { snapshot } = visit;
  const query = { ...defaultQuery, limit: leaders };
  const [ceremonies, { data: decades }, people, films] = await Promise.all([
    ceremoniesOf(snapshot),
    ask<CountsList>(snapshot, `${countsPath}?by=decade&official=true`),
    rank(snapshot, { of: 'people', query, order: 'nominations' }),
    rank(snapshot, { of: 'films', query, order: 'nominations' }),
  ]);
  const [latest] = ceremonies;
  const winners = latest && (await winnersOf(visit, latest, maxCards));
  const body = (
    <>
      <div class="hero">
        <Heading title="Who was nominated, and who won" />
        <p class="lead">
          The nominations and winners of every ceremony on record. Search above, or begin with a question.
        </p>
        <Chips label="Questions to begin with" links={questions} />
      </div>
      {latest && winners && (
        <section class="latest" aria-labelledby="latest">
          <p class="soft">{joined('The latest ceremony', latest.date && date(latest.date))}</p>
          <h2 id="latest">{ceremonyLink(latest, ceremonyTitle(latest))}</h2>
          {winners.cards}
          <p>
            {ceremonyLink(
              latest,
              winners.awards > maxCards
                ? `All ${winners.awards} awards and all nominations`
                : 'All nominations of this ceremony',
            )}
          </p>
        </section>
      )}
      <div class="columns">
        <Section id="people" title={`Most nominated people${inSample(visit)}`}>
          <Bars resource="nominees" ranked={people.ranked} label="Most nominated people" />
          <p>
            <a href={rankingHref('top-nominees')}>See the full ranking of people</a>
          </p>
        </Section>
        <Section id="films" title={`Most nominated films${inSample(visit)}`}>
          <Bars resource="movies" ranked={films.ranked} label="Most nominated films" />
          <p>
            <a href={rankingHref('top-movies')}>See the full ranking of films</a>
          </p>
        </Section>
      </div>
      <Section id="decades" title="By decade">
        <Scope
          visit={visit}
          entries={decades.reduce((sum, own) => sum + own.entries, 0)}
          years={ceremonies.map((own) => own.ceremony_year)}
        />
        <Decades
          decades={decades.map(({ key }) => Number(key)).reverse()}
          hrefOf={(decade) => `/timeline#decade-${decade}`}
        />
      </Section>
    </>
  );
  return {
    title: 'Film Awards',
    description:
      'A century of film awards: every nomination and who won, films, people, ceremonies and songs.',
    body,
  };
}

/** What is on record. */
function Scope({ visit, entries, years }: { visit: Visit; entries: number; years: readonly number[] }) {
  const { movies, nominees, songs } = visit.snapshot.manifest.counts;
  if (years.length === 0) return <p>The record is empty: no data was imported yet.</p>;
  return (
    <p class="tally">
      {visit.isSample ? 'In this sample' : 'On record'}: {count(entries, 'official nomination')},{' '}
      {count(movies, 'film')}, {number(nominees)} people and companies, {count(songs, 'song')},{' '}
      {count(years.length, 'ceremony', 'ceremonies')} held {span(Math.min(...years), Math.max(...years))}.
    </p>
  );
}

const formatTitles = { ndjson: 'NDJSON', csv: 'CSV', parquet: 'Parquet', sqlite: 'SQLite' } as const;

/** The files of the whole record, with their sizes and hashes. */
export async function downloadsPage(visit: Visit): Promise<Page> {
  const bytes = await visit.file(downloadIndexPath);
  const { files } = bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as DownloadIndex) : { files: [] };
  const body = (
    <>
      <Heading title="Downloads" />
      <p>{visit.isSample ? 'The sample' : 'The whole record'} as files: the same data as on these pages.</p>
      <p class="offline" hidden>
        <button type="button" class="keep-offline">
          Keep the record in this browser
        </button>{' '}
        Then all pages work without a network.
      </p>
      {files.length === 0 && <p>This site offers no downloads.</p>}
      {groupBy(files, ({ format }) => format).map(([format, own]) => (
        <Section key={format} id={format} title={formatTitles[format]}>
          <p>{own[0]!.description}</p>
          <ul class="rows">
            {own.map((file) => (
              <li key={file.name}>
                <a href={`/${downloadsFolder}/${file.name}`} download>
                  {file.name}
                </a>
                <span class="numbers">
                  {size(file.bytes)}, {count(file.rows, 'record')}
                </span>
                <code class="soft">SHA-256 {file.sha256}</code>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
  return {
    title: 'Downloads',
    description: 'The whole record of the film awards as files: CSV, NDJSON, Parquet and SQLite.',
    body,
    isOfFiles: true,
  };
}
