/** Fields that the project derives: the era of a category, name and department of a person, the overview of a ceremony. */
import { counted } from '../../build/system/numbers.ts';
import type { Connection } from '../open.ts';
import {
  bestPicture,
  type CeremonyFacts,
  dayInWords,
  directing,
  leadingRoles,
  supportingRoles,
} from '../reference/reference.ts';

type StagedCeremony = Pick<CeremonyFacts, 'id' | 'date' | 'show_title'>;

/**
 * Derives the name of each nominee: the spelling of most of its rows, of several the latest. A spelling with " - " names several
 * people, or a job before the person ("Screenplay - Ann Doe"), so that any other comes first.
 */
export function deriveNames(connection: Connection): void {
  connection.exec(
    `UPDATE source_nominees SET name = (
       SELECT spelling FROM source_spellings WHERE nominee = n
       ORDER BY instr(spelling, ' - ') > 0, rows DESC, latest DESC LIMIT 1
     )`,
  );
}

/** Derives the era of each category: the first to the last year of its nominations in the database. */
export function deriveEras(connection: Connection): void {
  connection.exec(
    `UPDATE source_categories AS s SET era = (
       SELECT min(ceremony_year) || iif(min(ceremony_year) = max(ceremony_year), '', '–' || max(ceremony_year))
       FROM nominations JOIN ceremonies ON ceremonies.id = ceremony_id WHERE category_id = s.id
     )`,
  );
}

/**
 * Derives the department of each person: the one of most of their nominations in the database. Of several it is the earliest:
 * by ceremony, then in the order of the source, then by id.
 */
export function deriveDepartments(connection: Connection): void {
  connection.exec(
    `WITH
       placed AS (
         SELECT p.n, c.department, row_number() OVER (ORDER BY x.ceremony_id, s.n IS NULL, s.n, x.id) AS place
         FROM source_nominees AS p
         JOIN nominations AS x ON x.nominee_id = p.id
         JOIN source_categories AS c ON c.id = x.category_id
         LEFT JOIN source_nominations AS s ON s.id = x.id
         WHERE p.is_person
       ),
       counted AS (
         SELECT n, department, row_number() OVER (PARTITION BY n ORDER BY count(*) DESC, min(place)) AS choice
         FROM placed GROUP BY n, department
       )
     UPDATE source_nominees AS p SET known_for_department = counted.department
     FROM counted WHERE counted.n = p.n AND choice = 1`,
  );
}

/**
 * Derives the overview of each ceremony from the source: the winners, the film that led, the totals.
 * @param isComplete whether the source has all categories; if not, totals and the leading film are omitted
 */
export function deriveOverviews(connection: Connection, isComplete: boolean): void {
  const ceremonies = connection
    .prepare<[], StagedCeremony>('SELECT id, date, show_title FROM source_ceremonies')
    .all();
  const resultsOf = prepareResults(connection);
  const update = connection.prepare('UPDATE source_ceremonies SET overview = ? WHERE id = ?');
  for (const ceremony of ceremonies) {
    const results = resultsOf(ceremony.id);
    const sentences = [pictureSentence(ceremony, results), peopleSentence(results)];
    if (isComplete && results.wins > 0) sentences.push(leadersSentence(results));
    if (isComplete && results.nominations > 0) sentences.push(totalsSentence(results));
    update.run(sentences.filter((sentence) => sentence !== null).join(' ') || null, ceremony.id);
  }
}

interface Totals {
  nominations: number;
  wins: number;
  films: number;
  categories: number;
}

/** What the source says of a ceremony. Films and people in order of first appearance. */
interface Results extends Totals {
  filmsWon: (category: number) => string[];
  /** The names of the people who won in some categories. */
  peopleWon: (categories: readonly number[]) => string[];
  nominated: Leaders;
  /** The films with wins in the most categories. */
  won: Leaders;
}

interface Leaders {
  /** None if the number of categories is one. */
  films: { n: number; title: string }[];
  /** Number of categories. Several nominees of a film in one category count once. */
  count: number;
}

function prepareResults(connection: Connection): (ceremony: number) => Results {
  const totals = connection.prepare<[number], Totals>(
    `SELECT count(*) AS nominations, total(winner) AS wins, count(DISTINCT movie) AS films, count(DISTINCT category) AS categories
     FROM source_nominations WHERE ceremony_id = ?`,
  );
  const winners = (text: string, things: string, id: string) =>
    connection
      .prepare<[number, string], string>(
        `SELECT ${text} FROM source_nominations AS s JOIN ${things} AS t ON t.n = s.${id}
         WHERE ceremony_id = ? AND winner AND category IN (SELECT value FROM json_each(?)) GROUP BY t.n ORDER BY min(s.n)`,
      )
      .pluck();
  const titles = winners('title', 'source_movies', 'movie');
  const names = winners('name', 'source_nominees', 'nominee');
  const leaders = (condition: string) =>
    connection.prepare<[number], { n: number; title: string; count: number }>(
      `SELECT n, title, count FROM (
         SELECT movie, min(n) AS first, count(DISTINCT category) AS count, max(count(DISTINCT category)) OVER () AS most
         FROM source_nominations WHERE ceremony_id = ? AND ${condition} GROUP BY movie
       ) JOIN source_movies ON n = movie WHERE count = most AND count > 1 ORDER BY first`,
    );
  const [nominated, won] = [leaders('true'), leaders('winner')];
  const led = (films: { n: number; title: string; count: number }[]): Leaders => ({
    films,
    count: films[0]?.count ?? 1,
  });
  return (ceremony) => ({
    ...totals.get(ceremony)!,
    filmsWon: (category) => titles.all(ceremony, JSON.stringify([category])),
    peopleWon: (categories) => [...new Set(names.all(ceremony, JSON.stringify(categories)))],
    nominated: led(nominated.all(ceremony)),
    won: led(won.all(ceremony)),
  });
}

function pictureSentence(ceremony: StagedCeremony, { filmsWon }: Results): string | null {
  const films = filmsWon(bestPicture);
  const day = ceremony.date === null ? null : dayInWords(ceremony.date);
  if (films.length > 0)
    return `${inSeries(films)} won Best Picture at the ${ceremony.show_title}${day ? `, held on ${day}` : ''}.`;
  return day && `The date of the ${ceremony.show_title} is ${day}.`;
}

/** The winners for directing and acting. A person may win for several films. */
function peopleSentence({ peopleWon }: Results): string | null {
  const groups = [
    { categories: [directing], one: 'directing', several: 'directing' },
    { categories: leadingRoles, one: 'a leading role', several: 'leading roles' },
    { categories: supportingRoles, one: 'a supporting role', several: 'supporting roles' },
  ];
  const parts: string[] = [];
  for (const { categories, one, several } of groups) {
    const people = peopleWon(categories);
    const verb = parts.length === 0 ? 'won for' : 'for';
    if (people.length > 0) parts.push(`${inSeries(people)} ${verb} ${people.length === 1 ? one : several}`);
  }
  if (parts.length === 0) return null;
  // The names of a part contain "and", so a comma separates the last part.
  const last = parts.pop()!;
  return parts.length === 0 ? `${last}.` : `${parts.join(', ')}, and ${last}.`;
}

/** The films with wins in the most categories, and those with nominations in the most. */
function leadersSentence({ nominated, won }: Results): string {
  if (nominated.count === 1) return 'No film was nominated in more than one category.';
  const [were, nominatedEach] = nominated.films.length > 1 ? ['were', ' each'] : ['was', ''];
  const mostNominated = `${shown(nominated)} ${were} nominated in the most, ${inWords(nominated.count)}${nominatedEach}.`;
  if (won.count === 1) return `No film won in more than one category; ${mostNominated}`;
  const winners = won.films.length > maxTitles ? capitalized(shown(won)) : shown(won);
  const each = won.films.length > 1 ? ' each' : '';
  const isSame =
    won.films.length === nominated.films.length &&
    won.films.every((film) => nominated.films.some(({ n }) => n === film.n));
  if (isSame && won.count === nominated.count)
    return `${winners} led with wins in all ${inWords(won.count)} categories of ${each ? 'their' : 'its'} nominations.`;
  if (isSame)
    return `${winners} led with wins in ${inWords(won.count)} categories${each} and nominations in ${inWords(nominated.count)}.`;
  return `${winners} won in the most categories, ${inWords(won.count)}${each}; ${mostNominated}`;
}

/** Films that a sentence names. */
const maxTitles = 3;

/** The titles of the films, or the number of films if they are many. */
function shown({ films }: Leaders): string {
  return films.length > maxTitles
    ? `${inWords(films.length)} films`
    : inSeries(films.map(({ title }) => title));
}

function totalsSentence({ nominations, films, categories }: Results): string {
  const verb = nominations === 1 ? 'is' : 'are';
  return `On record ${verb} ${counted(nominations, 'individual nomination')} for ${counted(films, 'film')} in ${counted(categories, 'category', 'categories')}.`;
}

/** "A", "A and B", "A, B and C". */
function inSeries(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const numberWords = (
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');

const inWords = (number: number) => numberWords[number] ?? String(number);
