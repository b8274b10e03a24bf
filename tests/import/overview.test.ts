/** The overview of a ceremony is correct English for every kind of result. */
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { ordinal, readReference } from '../../data/reference/reference.ts';
import { column, importText, type Row, recordOf } from './record-text.ts';

async function overviewOf(...rows: Row[]): Promise<unknown> {
  const connection = openDatabase(':memory:');
  await importText(connection, recordOf(...rows));
  return column(connection, 'ceremonies', 'overview')[0];
}

const film = (title: string, CanonicalCategory: string, Winner = 'True', nominee = title): Row => ({
  Film: title,
  FilmId: `tt${title.charCodeAt(0)}`,
  CanonicalCategory,
  Winner,
  Nominees: nominee,
  NomineeIds: `nm${nominee.charCodeAt(0)}`,
});

describe('an overview', () => {
  it('names the winners and the film that led', async () => {
    expect(
      await overviewOf(
        film('Anora', 'BEST PICTURE'),
        film('Anora', 'DIRECTING', 'True', 'Sean Baker'),
        film('Anora', 'ACTRESS IN A LEADING ROLE', 'True', 'Mikey Madison'),
        film('Brutalist', 'ACTOR IN A LEADING ROLE', 'True', 'Adrien Brody'),
        film('Real Pain', 'ACTOR IN A SUPPORTING ROLE', 'True', 'Kieran Culkin'),
        film('Anora', 'ACTOR IN A SUPPORTING ROLE', '', 'Yura Borisov'),
      ),
    ).toBe(
      'Anora won Best Picture at the 97th Academy Awards, held on 2 March 2025. Sean Baker won for directing, ' +
        'Mikey Madison and Adrien Brody for leading roles, and Kieran Culkin for a supporting role. ' +
        'Most wins: Anora, in 3 categories. Most nominations: Anora, in 4 categories. ' +
        'On record are 6 individual nominations for 3 films in 5 categories.',
    );
  });

  it('names both films if two are Best Picture, and a person who won for two films once', async () => {
    const first = { Ceremony: '1', Year: '1927/28' };
    expect(
      await overviewOf(
        { ...film('Wings', 'BEST PICTURE'), ...first },
        { ...film('Sunrise', 'UNIQUE AND ARTISTIC PICTURE'), ...first },
        { ...film('Wings', 'ACTRESS IN A LEADING ROLE', 'True', 'Janet Gaynor'), ...first },
        { ...film('Sunrise', 'ACTRESS IN A LEADING ROLE', 'True', 'Janet Gaynor'), ...first },
      ),
    ).toBe(
      'Wings and Sunrise won Best Picture at the 1st Academy Awards, held on 16 May 1929. ' +
        'Janet Gaynor won for a leading role. ' +
        'Most wins: Wings and Sunrise, in 2 categories each. Most nominations: Wings and Sunrise, in 2 categories each. ' +
        'On record are 4 individual nominations for 2 films in 2 categories.',
    );
  });

  it('reports ties, and counts the films instead of a long list', async () => {
    const crafts = ['FILM EDITING', 'CASTING'];
    const rows = ['A', 'B', 'C', 'D'].flatMap((title) => crafts.map((category) => film(title, category, '')));
    const overview = await overviewOf(...rows, film('E', 'VISUAL EFFECTS'));
    expect(overview).toContain('2 March 2025. Most nominations: 4 films, in 2 categories each. On record');
  });

  it('names no winner if there is none', async () => {
    expect(await overviewOf(film('Anora', 'BEST PICTURE', ''))).toBe(
      'The date of the 97th Academy Awards is 2 March 2025. On record is 1 individual nomination for 1 film in 1 category.',
    );
  });
});

describe('the reference', () => {
  it('counts in English', async () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 92, 98, 101, 111].map(ordinal).join(' ')).toBe(
      '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 92nd 98th 101st 111th',
    );
  });

  it('has 98 ceremonies, none in 1933 and two in 1930, and 30 categories', async () => {
    const { ceremonies, categories } = readReference();
    expect([...ceremonies.keys()]).toEqual(Array.from({ length: 98 }, (_, index) => index + 1));
    expect([...ceremonies.values()].slice(0, 6).map(({ ceremony_year }) => ceremony_year)).toEqual([
      1929, 1930, 1930, 1931, 1932, 1934,
    ]);
    expect([...categories.keys()]).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it('knows each category by its own name and by those of the public record', () => {
    const { categories, categoryOfSource } = readReference();
    for (const { id, category_name } of categories.values())
      expect(categoryOfSource(category_name), category_name).toBe(id);
    const earlier = {
      'UNIQUE AND ARTISTIC PICTURE': 1,
      'DIRECTING (Comedy Picture)': 6,
      'ART DIRECTION (Black-and-White)': 15,
      'SOUND RECORDING': 18,
      'DOCUMENTARY (Short Subject)': 28,
      'SHORT SUBJECT (Two-reel)': 30,
    };
    for (const [name, id] of Object.entries(earlier)) expect(categoryOfSource(name), name).toBe(id);
    expect(categoryOfSource('BEST POPCORN')).toBeUndefined();
  });
});
