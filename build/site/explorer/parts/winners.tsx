/** @jsxRuntime automatic @jsxImportSource preact */
/** The winners of a ceremony as cards, for the home page and the top of a ceremony's page. */
import { filmYear } from '../../../../api/contract/film-year.ts';
import type { ComponentChildren } from 'preact';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { count, together } from '../../shared/format.ts';
import { type Award, isPersonal } from '../awards.ts';
import { awardHref, recordHref } from '../addresses.ts';
import { firstOfEach } from '../counts.ts';
import type { CeremonySummary } from '../record.ts';
import { TitleCard } from './facts.tsx';
import { commaList } from './nominations.tsx';

interface Named {
  href: string;
  text: string;
}

const distinct = (names: readonly Named[]): Named[] => firstOfEach(names, ({ href }) => href);
const filmsOf = (nominations: readonly Nomination[]) =>
  distinct(
    nominations.map(({ movie_id, movie }) => ({ href: recordHref('movies', movie_id, movie), text: movie })),
  );
const peopleOf = (nominations: readonly Nomination[]) =>
  distinct(
    nominations.map(({ nominee_id, nominee }) => ({
      href: recordHref('nominees', nominee_id, nominee),
      text: nominee,
    })),
  );
const songsOf = (nominations: readonly Nomination[]) =>
  distinct(
    nominations.flatMap(({ song_id, song_title }) =>
      song_id === null
        ? []
        : [{ href: recordHref('songs', song_id, song_title ?? undefined), text: `“${song_title}”` }],
    ),
  );

/** Longer lists of names end with the number of the others. */
const maxNames = 3;

function shortened(names: readonly Named[]): string {
  const texts = names.map(({ text }) => text);
  const others = texts.length - maxNames;
  return others > 1 ? together([...texts.slice(0, maxNames), `${others} others`]) : together(texts);
}

/** The awards with a winner, and the nominations that won them. */
export const wonAwards = (awards: readonly Award[]): Award[] =>
  awards
    .map(({ category, nominations }) => ({
      category,
      nominations: nominations.filter(({ winner }) => winner),
    }))
    .filter(({ nominations }) => nominations.length > 0);

/** What won an award: the song, the people or the films first, what belongs to it below. */
function partsOf({ category, nominations }: Award): { first: Named[]; second: Named[] } {
  const [songs, films, people] = [songsOf(nominations), filmsOf(nominations), peopleOf(nominations)];
  if (songs.length > 0) return { first: songs, second: films };
  return isPersonal(category.category_group)
    ? { first: people, second: films }
    : { first: films, second: people };
}

/**
 * The winners as cards; the first is a title card.
 * @param props.awards that are shown, in the order of the categories @param props.all awards of the ceremony @param props.poster of the film that won the first award
 */
export function Winners(props: {
  ceremony: CeremonySummary;
  awards: readonly Award[];
  all: readonly Award[];
  poster: string | null;
}) {
  const { ceremony, awards, all, poster } = props;
  const [lead, ...others] = awards;
  if (!lead) return null;
  const [first] = lead.nominations;
  const shared = lead.nominations.filter(({ movie_id }) => movie_id !== first!.movie_id);
  // The first ceremony had two awards for a film, which are one category here: the second film has a card of its own.
  const cards = shared.length > 0 ? [{ ...lead, nominations: shared }, ...others] : others;
  return (
    <ul class="winners">
      <LeadCard award={lead} all={all} poster={poster} year={filmYear(ceremony)} />
      {cards.map((award) => (
        <WinnerCard
          key={award.category.id}
          award={award}
          above={<AwardLink ceremony={ceremony} award={award} />}
        />
      ))}
    </ul>
  );
}

const AwardLink = ({ ceremony, award: { category } }: { ceremony: CeremonySummary; award: Award }) => (
  <a class="award-name" href={awardHref(ceremony, category.id)}>
    {category.category_name}
  </a>
);

function WinnerCard({ award, above }: { award: Award; above: ComponentChildren }) {
  const { first, second } = partsOf(award);
  return (
    <li class="winner">
      {above}
      <span class="first">
        {commaList(
          first,
          ({ href, text }) => (
            <a href={href} dir="auto">
              {text}
            </a>
          ),
          ({ href }) => href,
        )}
      </span>
      <span class="second" dir="auto">
        {shortened(second)}
      </span>
    </li>
  );
}

/** The winner of the first category, with the number of awards that its film won. */
function LeadCard(props: { award: Award; all: readonly Award[]; poster: string | null; year: number }) {
  const { award, all, poster, year } = props;
  const [first] = award.nominations;
  const { movie_id, movie } = first!;
  const won = all.filter(({ nominations }) => nominations.some((own) => own.movie_id === movie_id)).length;
  return (
    <li class="lead-winner">
      <a href={recordHref('movies', movie_id, movie)}>
        <TitleCard
          poster={poster}
          title={movie}
          above={award.category.category_name}
          below={count(won, 'award')}
          year={year}
          wins={won}
        />
      </a>
    </li>
  );
}
