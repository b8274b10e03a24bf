/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Films and people as pictures: the poster or the portrait that the record names, else a card with the title.
 * A card has the colour of the film's decade; gold on it is what the film won.
 */
import type { ComponentChildren } from 'preact';
import { commonsPage } from '../../../api/contract/enrichment.ts';
import { count } from '../shared/format.ts';
import { decadeClass, externalLink, type Visit, webAddress } from './parts.tsx';

/** What a card shows of a film. */
export interface CardFilm {
  title: string;
  /** As the source writes it: "2020", "1927/28". */
  filmYears?: string | undefined;
  nominations?: number | undefined;
  wins: number;
  wonBestPicture?: boolean | undefined;
  /** Address of the poster. */
  poster?: string | null | undefined;
}

/** The class of a title by its length and its longest word: longer ones are set smaller. */
function lengthClass(title: string): string {
  if (title.length > 60 || /\S{15}/.test(title)) return ' longest';
  if (title.length > 28 || /\S{12}/.test(title)) return ' long';
  return title.length > 8 || /\S{8}/.test(title) ? ' medium' : '';
}

const motifs = 8;

/** The class of the shape on a card: always the same for a title, so that it is the face of the film. */
function motifClass(title: string): string {
  let hash = 0;
  for (const character of title) hash = (hash * 31 + character.codePointAt(0)!) % 65_521;
  return ` motif-${hash % motifs}`;
}

function outcomeOf({ nominations = 0, wins }: CardFilm): string {
  if (wins > 0) return count(wins, 'win');
  return nominations > 0 ? count(nominations, 'nomination') : '';
}

/**
 * The poster of a film, and its card. Another host sees the requests of readers, so the operator must allow
 * it. The script removes a picture that fails, and the card beside it shows.
 */
export function FilmCard({ visit, film }: { visit: Visit; film: CardFilm }) {
  const { title, filmYears, wins, wonBestPicture = false, poster = null } = film;
  const marks = [
    wins > 0 ? ' winning' : '',
    wonBestPicture ? ' best' : '',
    filmYears === undefined ? '' : ` ${decadeClass(filmYears)}`,
    motifClass(title),
  ].join('');
  return (
    <>
      {picture(visit, poster, 'film')}
      <span class={`card${marks}`} aria-hidden="true">
        {wonBestPicture && <span class="card-mark">Best Picture</span>}
        <span class={`card-title${lengthClass(title)}`} dir="auto">
          {title}
        </span>
        <span class="card-foot">
          <span>{filmYears}</span>
          <span class="card-outcome">{outcomeOf(film)}</span>
        </span>
      </span>
    </>
  );
}

interface FrameProps {
  /** As the source writes them: the frame has the colour of their decade. */
  filmYears: string | undefined;
  wonBestPicture: boolean;
  /** Large and faint behind the title. */
  numeral: string | undefined;
  above: ComponentChildren;
  title: string;
  /** The heading. */
  children: ComponentChildren;
  below: ComponentChildren;
}

/** The opening of a film or a ceremony, wide as a screen: its title, and what happened. */
export const OpeningFrame = (props: FrameProps) => (
  <header
    class={[
      'frame',
      lengthClass(props.title).trim(),
      props.wonBestPicture ? 'best' : '',
      props.filmYears === undefined ? '' : decadeClass(props.filmYears),
    ]
      .filter(Boolean)
      .join(' ')}
    data-numeral={props.numeral}
  >
    <p class="above">{props.above}</p>
    {props.children}
    <div class="below">{props.below}</div>
  </header>
);

/**
 * The portrait of a person or the logo of a company; nothing without an address.
 * @param props.alt what it shows, where no text beside it says so
 */
export const Portrait = (props: { visit: Visit; address: string | null; alt?: string; isLogo?: boolean }) =>
  picture(props.visit, props.address, props.isLogo ? 'person logo' : 'person', props.alt);

/** A link to the page that names the author and the licence of an image, else to the image. */
export const imageSource = (address: string | null): ComponentChildren => {
  const page = commonsPage(address);
  return page === undefined
    ? externalLink(address, 'on another site')
    : externalLink(page, 'Image: Wikimedia Commons');
};

/** The poster of a film; nothing without an address. */
export const Poster = ({ visit, address }: { visit: Visit; address: string | null }) =>
  picture(visit, address, 'film');

/** Whether the page shows a picture from this address. */
export function isShown({ imageOrigins }: Visit, address: string | null): boolean {
  const url = webAddress(address);
  return url !== undefined && imageOrigins.has(url.origin);
}

const picture = (visit: Visit, address: string | null, kind: 'film' | 'person' | 'person logo', alt = '') =>
  isShown(visit, address) && (
    <img
      class={`picture ${kind}`}
      src={webAddress(address)!.href}
      alt={alt}
      width="160"
      height={kind === 'film' ? 240 : 160}
      loading="lazy"
      referrerpolicy="no-referrer"
    />
  );
