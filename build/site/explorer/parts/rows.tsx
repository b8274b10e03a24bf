/** Records as rows of a list: a link, what tells it from others, and numbers. */
import type { ResourceName } from '../../../../api/contract/names.ts';
import type {
  Category,
  Ceremony,
  Movie,
  Nominee,
  RecordOf,
  Song,
} from '../../../../api/contract/resources.ts';
import { date, filmYears } from '../format.ts';

export interface Row {
  href: string;
  label: string;
  detail: string;
  /** Of nominations, and of wins. */
  numbers?: readonly [string, string];
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="rows">
      {rows.map(({ href, label, detail, numbers }) => (
        <li key={href} class={numbers && 'counted'}>
          <a href={href}>{label}</a>
          <span class="detail">{detail}</span>
          {numbers && (
            <span class="numbers">
              {numbers[0]}
              {numbers[1] && <span class="won">{numbers[1]}</span>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

/** How a record of each kind is told from others. */
export function rowOf(
  resource: Exclude<ResourceName, 'nominations'>,
  record: RecordOf[ResourceName],
): { label: string; detail: string } {
  switch (resource) {
    case 'movies': {
      const { title, release_date, genres } = record as Movie;
      return { label: title, detail: joined(release_date?.slice(0, 4), genres.join(', ')) };
    }
    case 'nominees': {
      const { name, known_for_department } = record as Nominee;
      return { label: name, detail: known_for_department ?? '' };
    }
    case 'songs': {
      const { original_title, artist_names } = record as Song;
      return { label: `“${original_title}”`, detail: artist_names ?? '' };
    }
    case 'categories': {
      const { category_name, category_group, era } = record as Category;
      return { label: category_name, detail: joined(category_group, era) };
    }
    case 'ceremonies': {
      const { show_title, ceremony_year, date: held, movies_eligible } = record as Ceremony;
      const films = filmYears(movies_eligible);
      return {
        label: show_title ?? `Ceremony of ${ceremony_year}`,
        detail: joined(held ? date(held) : String(ceremony_year), films && `films of ${films}`),
      };
    }
  }
}
