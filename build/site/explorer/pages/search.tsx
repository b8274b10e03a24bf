/** @jsxRuntime automatic @jsxImportSource preact */
/** The search page: what the words name and mean, and the nominations that match them. */
import { tokens } from '../../../../api/contract/text.ts';
import { count, number } from '../../shared/format.ts';
import { honorsHref, searchHref } from '../addresses.ts';
import { Rows, TableHead } from '../parts/lists.tsx';
import { commaList, recordLink } from '../parts/nominations.tsx';
import { focusResults } from '../parts/page.tsx';
import type { FilmSeries } from '../search/finder.ts';
import type { Finding } from '../search/find.ts';
import type { Meaning, Understood } from '../search/meaning.ts';

const searchLinks = (searches: readonly string[]) =>
  commaList(searches, (words) => <a href={searchHref(words)}>{words}</a>, String);

/** One of each kind of search. */
const examples = ['meryl streep', 'best actress 1990', 'most oscars in the 1990s', 'titanic vs avatar'];

export const SearchExamples = () => <p>For example {searchLinks(examples)}.</p>;

/** The records that the words name or mean, in groups. */
export function SearchHits(props: { typed: string; finding: Finding; suggestions: readonly string[] }) {
  const { typed, finding, suggestions } = props;
  const { groups, understood, limit, isNear } = finding;
  return (
    <div class="hits">
      <Chips typed={typed} understood={understood} />
      {limit && <p class="advice">{limit}</p>}
      {groups.length === 0 && !limit && <Nothing typed={typed} suggestions={suggestions} />}
      {isNear && (
        <p>
          No film, person or song has all these words. <DidYouMean suggestions={suggestions} />
          Those below have some. <AmongHonors words={typed} />
        </p>
      )}
      {groups.map(({ title, hits }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <Rows rows={hits} />
        </section>
      ))}
    </div>
  );
}

/** The films whose titles have the words, with totals, as for a series of films. */
export function FilmTable({ series }: { series: FilmSeries }) {
  const { words, shown, films, nominations: all, wins: won } = series;
  return (
    <section aria-labelledby="titles">
      <h2 id="titles">Films with “{words}” in the title</h2>
      {shown.length < films && <p class="advice">The first {shown.length} by year; the totals are of all.</p>}
      <div class="scroll">
        <table class="numbers titles">
          <TableHead columns={['Film', 'Year', 'Nominations', 'Wins']} />
          <tbody>
            {shown.map(({ id, title, year, nominations, wins }) => (
              <tr key={id}>
                <th scope="row" dir="auto">
                  {recordLink('movies', id, title, 'title')}
                </th>
                <td>{year > 0 && year}</td>
                <td>{number(nominations)}</td>
                <td class={wins > 0 ? 'won' : undefined}>{number(wins)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{count(films, 'film')}</th>
              <td />
              <td>{number(all)}</td>
              <td>{number(won)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

/** What part of the words means; a link searches without it. */
function Chips({ typed, understood }: { typed: string; understood: Understood }) {
  const chips = chipsOf(understood);
  if (chips.length === 0) return null;
  return (
    <p class="chips meaning">
      <span>Understood as</span>
      {chips.map(([label, { words }]) => (
        <a
          key={label}
          href={searchHref(withoutWords(typed, words))}
          aria-label={`Search without ${label}`}
          onClick={focusResults}
        >
          {label} <span aria-hidden="true">×</span>
        </a>
      ))}
    </p>
  );
}

function chipsOf(understood: Understood): [string, Meaning][] {
  const { category, year, ordinal, latest, decade, outcome, honors } = understood;
  const chips: [string, Meaning | undefined][] = [
    ['Honors', honors],
    [`${category?.name}`, category],
    [`${year?.year}`, year],
    [`Ceremony ${ordinal?.number}`, ordinal],
    ['Latest ceremony', latest],
    [`${decade?.year}s`, decade],
    [outcome?.won ? 'Winners' : 'Nominations', outcome],
  ];
  return chips.filter((chip): chip is [string, Meaning] => chip[1] !== undefined);
}

/** The typed words without some of them; all of them if nothing else is left. */
function withoutWords(typed: string, words: readonly string[]): string {
  const left = typed
    .trim()
    .split(/\s+/)
    .filter((part) => !tokens(part).some((word) => words.includes(word)))
    .join(' ');
  return left === '' ? typed : left;
}

function Nothing({ typed, suggestions }: { typed: string; suggestions: readonly string[] }) {
  return (
    <div class="nothing">
      <p>
        Nothing has a name like “{typed.trim()}”. <DidYouMean suggestions={suggestions} />
      </p>
      <p>
        The record has films, people and songs that were nominated, and honors. <AmongHonors words={typed} />{' '}
        Look through the <a href="/movies">films</a>, the <a href="/nominees">people</a> or the{' '}
        <a href="/timeline">ceremonies</a>.
      </p>
    </div>
  );
}

const DidYouMean = ({ suggestions }: { suggestions: readonly string[] }) =>
  suggestions.length > 0 && <>Did you mean {searchLinks(suggestions)}? </>;

/** The words do not find those who have an honor and no nomination. */
const AmongHonors = ({ words }: { words: string }) => (
  <>
    <a href={honorsHref({ recipient: words.trim() })}>Look among the honors</a>.
  </>
);
