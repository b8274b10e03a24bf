/** @jsxRuntime automatic @jsxImportSource preact */
/** How a ceremony begins, on its own page and on the home page: its frame, and its winners. */
import type { ComponentChildren } from 'preact';
import type { Movie } from '../../../../api/contract/resources.ts';
import { ceremonyTitle, date, filmsOf, joined } from '../../shared/format.ts';
import { ask } from '../ask.ts';
import { OpeningFrame } from '../cards.tsx';
import { ceremonySentence } from '../happened.ts';
import { ceremonyLink, Winners, wonAwards } from '../nominations.tsx';
import { Happened, type Visit } from '../parts.tsx';
import { type Award, awardsAt, type CeremonySummary } from '../record.ts';

/** The address of the poster of the film that won the first award. */
export async function leadPoster({ snapshot }: Visit, won: readonly Award[]): Promise<string | null> {
  const lead = won[0]?.nominations[0];
  return lead
    ? (await ask<Movie>(snapshot, `/api/movies/${lead.movie_id}?fields=poster_path`)).poster_path
    : null;
}

interface CeremonyFrameProps {
  ceremony: CeremonySummary;
  /** All of the ceremony. */
  awards: readonly Award[];
  venue?: string | null;
  /** What the ceremony is to the page. */
  label?: string;
  /** The heading. */
  children: ComponentChildren;
}

/** The opening of a ceremony: when and where it was held, and what happened. */
export function CeremonyFrame({ ceremony, awards, venue, label, children }: CeremonyFrameProps) {
  const title = ceremonyTitle(ceremony);
  return (
    <OpeningFrame
      title={title}
      filmYears={ceremony.film_years}
      wonBestPicture={false}
      numeral={/^\d+/.exec(title)?.[0]}
      above={
        <>
          <span>
            {joined(label, ceremony.date ? date(ceremony.date) : String(ceremony.ceremony_year), venue)}
          </span>
          <span>For {filmsOf(ceremony)}</span>
        </>
      }
      below={<Happened sentences={[ceremonySentence(awards.flatMap((award) => award.nominations))]} />}
    >
      {children}
    </OpeningFrame>
  );
}

/** The winners of a ceremony, for the home page. */
export async function winnersOf(visit: Visit, ceremony: CeremonySummary, most: number) {
  const awards = await awardsAt(visit.snapshot, ceremony.id);
  const won = wonAwards(awards);
  const poster = await leadPoster(visit, won);
  const cards = <Winners visit={visit} ceremony={ceremony} awards={won} poster={poster} most={most} />;
  const title = ceremonyLink(ceremony, ceremonyTitle(ceremony));
  const frame = (
    <CeremonyFrame ceremony={ceremony} awards={awards} label="The latest ceremony">
      <h2 id="latest">{title}</h2>
    </CeremonyFrame>
  );
  return { awards: won.length, frame, cards };
}
