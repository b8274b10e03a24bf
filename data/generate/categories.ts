/** The thirty award categories: what each honours, when it was given, and who stands in it. */
import type { Category } from '../../api/contract/resources.ts';

/** The trades nominees belong to, with the department each is known for; companies have none. */
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

type Group =
  | 'Acting'
  | 'Direction'
  | 'Writing'
  | 'Picture'
  | 'Craft'
  | 'Music'
  | 'Short Film'
  | 'Documentary';

/** The last two are the first and last year of the ceremonies at which it was given. */
type Award = [
  name: string,
  group: Group,
  guild: Guild,
  weight: number,
  seats: number,
  from: number,
  to?: number,
];

/**
 * Category id - 1 → category. The weight says how often a film stands in it, compared with the other categories for such
 * films; 0 for songs, because a film stands there once for each song. Seats: the nominees a film usually has at most.
 */
const awards: readonly Award[] = [
  ['Actor in a Leading Role', 'Acting', 'actors', 8, 2, 1929],
  ['Actress in a Leading Role', 'Acting', 'actresses', 8, 2, 1929],
  ['Actor in a Supporting Role', 'Acting', 'actors', 8, 2, 1937],
  ['Actress in a Supporting Role', 'Acting', 'actresses', 8, 2, 1937],
  ['Directing', 'Direction', 'directors', 8, 2, 1929],
  ['Assistant Director', 'Direction', 'assistants', 6, 1, 1934, 1938],
  ['Dance Direction', 'Direction', 'assistants', 5, 2, 1936, 1938],
  ['Writing (Original Screenplay)', 'Writing', 'writers', 8, 4, 1929],
  ['Writing (Adapted Screenplay)', 'Writing', 'writers', 8, 4, 1929],
  ['Best Picture', 'Picture', 'producers', 9, 4, 1944],
  ['Outstanding Production', 'Picture', 'companies', 10, 1, 1929, 1951],
  ['International Feature Film', 'Picture', 'companies', 9, 2, 1948],
  ['Animated Feature Film', 'Picture', 'producers', 5, 3, 2002],
  ['Cinematography', 'Craft', 'photographers', 8, 2, 1929],
  ['Cinematography (Black-and-White)', 'Craft', 'photographers', 6, 2, 1940, 1967],
  ['Film Editing', 'Craft', 'editors', 8, 2, 1935],
  ['Production Design', 'Craft', 'designers', 8, 4, 1929],
  ['Costume Design', 'Craft', 'dressers', 7, 2, 1949],
  ['Makeup and Hairstyling', 'Craft', 'dressers', 4, 3, 1982],
  ['Sound', 'Craft', 'engineers', 7, 5, 1930],
  ['Sound Editing', 'Craft', 'engineers', 4, 2, 1964, 2020],
  ['Visual Effects', 'Craft', 'illusionists', 5, 4, 1940],
  ['Casting', 'Craft', 'assistants', 5, 2, 2026],
  ['Music (Original Score)', 'Music', 'composers', 9, 2, 1935],
  ['Music (Original Song)', 'Music', 'composers', 0, 4, 1935],
  ['Short Film (Live Action)', 'Short Film', 'producers', 5, 2, 1932],
  ['Short Film (Animated)', 'Short Film', 'producers', 5, 2, 1932],
  ['Documentary Feature Film', 'Documentary', 'producers', 5, 3, 1942],
  ['Documentary Short Film', 'Documentary', 'producers', 5, 2, 1942],
  ['Title Writing', 'Writing', 'writers', 5, 1, 1929, 1930],
];

export const songCategory = 1 + awards.findIndex(([name]) => name === 'Music (Original Song)');

const categoryIds = awards.map((_, index) => index + 1);

/** What the ballot and the cast need to know of a category. */
export function awardOf(id: number): { guild: Guild; weight: number; seats: number; personal: boolean } {
  const [, group, guild, weight, seats] = awards[id - 1]!;
  return { guild, weight, seats, personal: group === 'Acting' };
}

/** The ids of the categories in which such a film could stand that year, the song category apart. */
export function openCategories(year: number, kind: FilmKind): number[] {
  return categoryIds.filter((id) => {
    const [, group, , weight, , from, to = year] = awards[id - 1]!;
    return weight > 0 && kindOf(group) === kind && from <= year && year <= to;
  });
}

/** The records of all categories. */
export function categoryRecords(): Category[] {
  return categoryIds.map((id) => {
    const [name, group, , , , from, to] = awards[id - 1]!;
    const films = { feature: 'feature films', short: 'short films', documentary: 'documentaries' }[
      kindOf(group)
    ];
    const rule =
      group === 'Acting' ? 'it is given to one person for one role' : 'all who are credited share it';
    const since = to
      ? `It was given for the last time in ${to}, when its rules were merged into those of a neighbour.`
      : 'It has had a place at every ceremony since.';
    return {
      id,
      category_name: name,
      category_group: group,
      definition: `Honours outstanding achievement in “${name}” among the ${films} of the year; ${rule}.`,
      era: `${from}–${to ?? 'present'}`,
      history: `First given in ${from}. ${since}`,
    };
  });
}

function kindOf(group: Group): FilmKind {
  if (group === 'Short Film') return 'short';
  return group === 'Documentary' ? 'documentary' : 'feature';
}
