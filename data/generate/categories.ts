/** The thirty generated categories (categories.tsv): their films, nominees and years. */
import type { Category } from '../../api/contract/resources.ts';
import { readTable } from '../reference/reference.ts';

/** The trades of nominees, each with its department. */
export const guilds = {
  actors: 'Acting',
  actresses: 'Acting',
  directors: 'Directing',
  writers: 'Writing',
  producers: 'Production',
  photographers: 'Camera',
  editors: 'Editing',
  designers: 'Art',
  dressers: 'Costume & Make-Up',
  engineers: 'Sound',
  composers: 'Sound',
  illusionists: 'Visual Effects',
  assistants: 'Crew',
  companies: null,
} as const;

export type Guild = keyof typeof guilds;
export type FilmKind = 'feature' | 'documentary' | 'short';

interface Award {
  name: string;
  group: string;
  guild: Guild;
  /** How often a film is in it, compared with other categories. 0 for songs: a film is in that category once per song. */
  weight: number;
  /** The usual maximum of nominees per film. */
  seats: number;
  /** The years of its first and its last ceremony. */
  from: number;
  to: number | undefined;
}

/** Category id - 1 → category. */
const awards = readTable(new URL('categories.tsv', import.meta.url)).map(
  ({ name, group, guild, weight, seats, from, to }): Award => ({
    name: name!,
    group: group!,
    guild: guild as Guild,
    weight: Number(weight),
    seats: Number(seats),
    from: Number(from),
    to: to ? Number(to) : undefined,
  }),
);

export const songCategory = 1 + awards.findIndex(({ name }) => name === 'Music (Original Song)');

const categoryIds = awards.map((_, index) => index + 1);

/** The category with an id. */
export const awardOf = (id: number): Award => awards[id - 1]!;

/** Whether a win is for one nominee only. */
export const isPersonal = (award: Award): boolean => award.group === 'Acting';

/** The ids of the categories for a kind of film in a year, without the song category. */
export function openCategories(year: number, kind: FilmKind): number[] {
  return categoryIds.filter((id) => {
    const { group, weight, from, to = year } = awardOf(id);
    return weight > 0 && kindOf(group) === kind && from <= year && year <= to;
  });
}

/** The records of all categories. */
export function categoryRecords(): Category[] {
  return awards.map((award, index) => {
    const { name, group, from, to } = award;
    const films = { feature: 'feature films', short: 'short films', documentary: 'documentaries' };
    const rule = isPersonal(award)
      ? 'it is given to one person for one role'
      : 'all who are credited share it';
    const since = to
      ? `It was given for the last time in ${to}, when its rules were merged into those of a neighbour.`
      : 'It has had a place at every ceremony since.';
    return {
      id: index + 1,
      category_name: name,
      category_group: group,
      definition: `Honours outstanding achievement in “${name}” among the ${films[kindOf(group)]} of the year; ${rule}.`,
      era: `${from}–${to ?? 'present'}`,
      history: `First given in ${from}. ${since}`,
    };
  });
}

function kindOf(group: string): FilmKind {
  if (group === 'Short Film') return 'short';
  return group === 'Documentary' ? 'documentary' : 'feature';
}
