/** @jsxRuntime automatic @jsxImportSource preact */
/** The winners of a ceremony as cards, for the home page and the top of a ceremony's page. */
import { filmYear } from '../../../../api/contract/film-year.ts';
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

/** The members of a nomination with the id and the name of each kind of record. */
const members = {
  movies: ['movie_id', 'movie'],
  nominees: ['nominee_id', 'nominee'],
  songs: ['song_id', 'song_title'],
} as const;

/** The records that nominations name, each once. */
function namesOf(resource: keyof typeof members, nominations: readonly Nomination[]): Named[] {
  const [id, name] = members[resource];
  const named = nominations.filter((own) => own[id] !== null);
  return firstOfEach(named, (own) => own[id]).map((own) => ({
    href: recordHref(resource, own[id]!, own[name]!),
    text: resource === 'songs' ? `“${own[name]}”` : own[name]!,
  }));
}

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
  const songs = namesOf('songs', nominations);
  const films = namesOf('movies', nominations);
  const people = namesOf('nominees', nominations);
  if (songs.length > 0) return { first: songs, second: films };
  return isPersonal(category.category_group)
    ? { first: people, second: films }
    : { first: films, second: people };
}

/**
 * The winners as cards; the first is a title card.
 * @param props.awards that are shown, in the order of the categories
 * @param props.all awards of the ceremony
 * @param props.poster of the film that won the first award
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
        <WinnerCard key={award.category.id} ceremony={ceremony} award={award} />
      ))}
    </ul>
  );
}

function WinnerCard({ ceremony, award }: { ceremony: CeremonySummary; award: Award }) {
  const { first, second } = partsOf(award);
  return (
    <li class="winner">
      <a class="award-name" href={awardHref(ceremony, award.category.id)}>
        {award.category.category_name}
      </a>
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
