/** All ceremonies by decade, with the films that won Best Picture. */
import type { Category, Ceremony, Nomination } from '../../../../api/contract/resources.ts';
import { recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { groupBy } from '../entries.ts';
import { date, filmYears } from '../format.ts';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { ask, askRecord } from '../record.ts';
import { decadeOf } from './category.tsx';

interface TimelineEntry {
  ceremony: Ceremony;
  /** Winners of Best Picture, each film once. */
  pictures: Nomination[];
}

/** The category whose winner stands for the whole ceremony. */
export const bestPicture = 'Best Picture';

/** All ceremonies, newest first. @throws Unanswered */
export async function timeline(): Promise<TimelineEntry[]> {
  const [{ data: ceremonies }, { data: categories }] = await Promise.all([
    ask<{ data: Ceremony[] }>('/api/ceremonies'),
    ask<{ data: Category[] }>('/api/categories'),
  ]);
  const category = categories.find(({ category_name }) => category_name === bestPicture);
  const nominations = category
    ? (await askRecord<{ nominations: Nomination[] }>('categories', category.id)).nominations
    : [];
  const winners = new Map(
    groupBy(
      nominations.filter(({ winner }) => winner),
      ({ ceremony_id }) => ceremony_id,
    ),
  );
  return ceremonies.map((ceremony) => ({
    ceremony,
    pictures: groupBy(winners.get(ceremony.id) ?? [], ({ movie_id }) => movie_id).map(
      ([, [first]]) => first!,
    ),
  }));
}

export function TimelinePage() {
  const answer = useAnswer('timeline', timeline);
  return (
    <>
      <Heading title="Timeline" />
      <p>Every ceremony, and the film that won Best Picture there.</p>
      <Shown answer={answer} what="ceremony">
        {(entries) => <Decades entries={entries} />}
      </Shown>
    </>
  );
}

function Decades({ entries }: { entries: readonly TimelineEntry[] }) {
  const decades = groupBy(entries, ({ ceremony }) => decadeOf(ceremony.ceremony_year));
  return (
    <>
      <nav class="chips" aria-label="Decades">
        {decades.map(([decade]) => (
          <a key={decade} href={`#decade-${decade}`}>
            {decade}s
          </a>
        ))}
      </nav>
      {decades.map(([decade, own]) => (
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
      <a class="year" href={recordHref('ceremonies', ceremony.id)}>
        {ceremony.ceremony_year}
        <span class="visually-hidden"> ceremony</span>
      </a>
      <span class="pictures">
        {pictures.map((picture, i) => (
          <span key={picture.id}>
            {i > 0 && ', '}
            <a class="title" href={recordHref('movies', picture.movie_id)}>
              {picture.movie}
            </a>
          </span>
        ))}
      </span>
      <span class="detail">
        {[ceremony.show_title, ceremony.date && date(ceremony.date), films && `films of ${films}`]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}
