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
  composers: 'Music',
  illusionists: 'Visual Effects',
  assistants: 'Crew',
  companies: null,
} as const;

export type Guild = keyof typeof guilds;
export type FilmKind = 'feature' | 'documentary' | 'short';

/** Category id - 1 → category. */
const awards = readTable(new URL('categories.tsv', import.meta.url)).map((row) => ({
  ...(row as { name: string; group: string; guild: Guild }),
  /** How often a film is in it, compared with other categories. 0 for songs: a film is in that category once per song. */
  weight: Number(row.weight),
  /** The usual maximum of nominees per film. */
  seats: Number(row.seats),
  // The years of the first and the last ceremony.
  from: Number(row.from),
  to: row.to ? Number(row.to) : undefined,
}));
type Award = (typeof awards)[number];

export const songCategory = 1 + awards.findIndex(({ name }) => name === 'Music (Original Song)');

export const awardOf = (id: number): Award => awards[id - 1]!;

/** Whether a win is for one nominee only. */
export const isPersonal = (award: Award): boolean => award.group === 'Acting';

/** The ids of the categories of a year by kind of film, without the song category. */
export function openCategories(year: number): Record<FilmKind, number[]> {
  const open: Record<FilmKind, number[]> = { feature: [], documentary: [], short: [] };
  for (const [index, { group, weight, from, to = year }] of awards.entries())
    if (weight > 0 && from <= year && year <= to) open[kindOf(group)].push(index + 1);
  return open;
}

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
