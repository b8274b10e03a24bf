/**
 * A small record of edge cases: texts that break naive matching, escaping or tokenizing, ids at the limits of blocks and
 * of safe integers, names of object properties, unreferenced records, ties. oracle.test.ts has hand-computed answers about
 * it; change both together.
 */
import type { Connection } from '../../data/database/open.ts';

const hugeId = Number.MAX_SAFE_INTEGER;

type Cell = string | number | null | string[];

/** id, ceremony_year, date, show_title, overview, movies_eligible, film_years */
const ceremonies: Cell[][] = [
  [1, 1929, '1929-05-16', '1st "Gala"', 'A dinner.', null, null],
  [2, 1930, '1930-04-03', '2nd Gala', null, 'Films of 1927/28.', '1927/28'],
  [3, 1930, '1930-11-05', '3rd Gala', null, 'long ago', null],
  [
    97,
    2025,
    null,
    '97th Gala',
    'Line one\nLine two\u2028Line three',
    'from 31 December 2024 to 1 January 1999/00',
    '2024',
  ],
  [16384, 1, null, null, null, null, null],
  [hugeId, 9999, '9999-12-31', '</script><!-- \u{1F3AC}', null, null, '1999/00'],
];

/** id, category_name, category_group, definition */
const categories: Cell[][] = [
  [1, 'Actor in a Leading Role', 'Acting', 'Who led.'],
  [2, 'Actress in a Leading Role', 'Acting', null],
  [3, 'Music (Original Song)', 'Music', null],
  [25, 'Best Picture', null, null],
  [26, '\u00c9criture \u2014 Sc\u00e9nario', 'E\u0301criture', null],
  [8191, 'Actor', 'acting (junior)', null],
  [8192, 'Unused Category', 'Craft', null],
  [65536, "O'Brien Prize 100%", 'Craft_100%', null],
  [hugeId, 'constructor', '__proto__', null],
];

/** id, title, release_date, runtime, genres, origin_country, moviedb_id, filmindex_id */
const movies: Cell[][] = [
  [1, '1917', '2019-12-25', 119, ['War', 'war', 'WAR'], ['GB', 'US'], 0, 'tt0000001'],
  [2, '007', '1962-10-05', 0, ['Action', 'War'], [], 7, 'tt7'],
  [24, 'M', null, null, ['Crime'], ['DE'], null, 'tt07'],
  [25, '100% Wolf_Man', null, 90, ['Science Fiction', 'Com\u00e9die'], [], hugeId, 'tt9007199254740993'],
  [26, '100 Wolf Man', null, 91, ['Comedie', 'Com\u00e9die'], [], 7, null],
  [27, 'Am\u00e9lie', '2001-04-25', 122, ['Comedy'], ['FR'], 194, 'tt0211915'],
  [28, 'Ame\u0301lie', '2001-04-25', 122, ['Comedy'], ['FR'], 194, 'tt0211915'],
  [29, 'It\'s a "Wonderful" Life\\Again', null, null, [], [], null, null],
  [30, 'Its a Wonderful Life', null, null, [], [], null, null],
  [31, 'It\u2019s a Wonderful Life', null, null, ['%'], [], null, null],
  [32, '\u0130stanbul ve \u0131s\u0131', null, null, ['D\u0130L'], ['TR'], null, null],
  [33, 'Die gro\u00dfe Stra\u00dfe', null, null, ['__proto__'], ['DE'], null, null],
  [34, '\ufb01lm \ufb02eurs', null, null, ['constructor'], [], null, null],
  [35, '\u{1F3AC} Emoji \u{1F469}\u200d\u{1F680}', null, null, [], [], null, null],
  [36, '\u2026!?\u2014', null, null, [], [], null, null],
  [37, '\u{1F3AC}', null, null, [], [], null, null],
  [38, 'The The The', null, null, ['Music'], [], null, null],
  [39, 'The', null, null, ['Music'], [], null, null],
  [40, 'constructor', null, null, ['toString'], [], null, null],
  [41, '__proto__', null, null, [], [], null, null],
  [42, 'toString hasOwnProperty', null, null, [], [], null, null],
  [43, 'Line\nbreak\ttab\u0001\u001f\u007f\u2028end', null, null, [], [], null, null],
  [44, 'M', null, null, ['Crime'], [], null, null],
  [45, 'No Nominations At All', null, null, ['War'], [], null, null],
  [46, '\u0301', null, null, [], [], null, null],
  [47, `Long ${'x'.repeat(600)}`, null, null, [], [], null, null],
  [48, ' Padded  Title ', null, null, [], [], null, null],
  [8191, 'Z', null, null, [], [], null, null],
  [8192, '\u00c1', null, null, [], [], null, null],
  [16384, '8\u00bd \u00b2 \uff11\uff12', null, null, [], [], null, null],
  [65536, '\uac15\ub0a8 \u304c\u304c \u30b5', null, null, [], [], null, null],
  [hugeId, '\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u03a3', null, null, [], [], null, null],
];

/** id, name, known_for_department, moviedb_person_id, filmindex_id, birthday, deathday */
const nominees: Cell[][] = [
  [1, "Ann O'Brien", 'Acting', 0, 'nm0000001', '1900-02-28', '1980-02-29'],
  [2, 'Ann O\u2019Brien', 'acting', null, 'nm1', null, null],
  [3, 'An\u00f1 OBrien', 'Directing', null, null, null, null],
  [4, 'Metro Pictures', null, null, 'co0000004', null, null],
  [5, 'Co Person', 'Acting', null, 'co5', null, null],
  [6, 'Kingdom of Nowhere', null, null, null, null, null],
  [7, 'M', null, 7, 'nm7', null, null],
  [25, 'Jos\u00e9 100%_"x"', '\u00c9criture', null, 'nm25', null, null],
  [26, 'Jose\u0301', 'E\u0301criture', hugeId, null, null, null],
  [77, 'Nobody Nominated', 'Acting', null, 'nm77', null, null],
  [8191, 'constructor', '__proto__', null, 'nm8191', null, null],
  [8192, 'toString', 'constructor', null, 'nm8192', null, null],
  [16384, '\uff21\uff4e\uff4e', '100%', null, 'nm16384', null, null],
  [65536, '\u0141ukasz \u017bal', '\u{10428}amera', null, 'nm65536', null, null],
  [hugeId, 'Last One', '\uff33ound', null, 'nm9007199254740991', null, null],
];

/** id, original_title, artist_names, streaming_id, streaming_year */
const songs: Cell[][] = [
  [1, 'The', 'Ann & M', 'a', 1929],
  [25, 'Song of %', null, null, null],
  [26, 'Lost Song', 'Nobody', 'b', 2000],
  [8192, '\u{1F3B5}', 'Bj\u00f6rk_', 'c', 2025],
  [hugeId, 'The The The', 'BJORK', 'd', 9999],
];

/** id, ceremony, category, movie, nominee, song, winner */
const nominations: Cell[][] = [
  [1, 1, 1, 1, 1, null, 1],
  [2, 1, 1, 1, 2, null, 0],
  [3, 1, 2, 1, 3, null, 1],
  [4, 2, 1, 24, 7, null, 0],
  [5, 2, 3, 38, 1, 1, 1],
  [6, 2, 3, 38, 2, 1, 1],
  [7, 3, 3, 39, 7, 25, 0],
  [8, 3, 25, 27, 4, null, 1],
  [9, 3, 25, 28, 5, null, 0],
  [10, 97, 25, 25, 6, null, 0],
  [11, 97, 26, 26, 25, null, 0],
  [12, 97, 26, 29, 26, null, 1],
  [13, 97, 26, 29, 26, null, 0],
  [24, 97, 1, 30, 8191, null, 0],
  [25, 97, 1, 31, 8192, null, 0],
  [26, 97, 8191, 32, 65536, null, 0],
  [27, 97, 8191, 33, 16384, null, 0],
  [28, 97, 1, 1, 1, null, 1],
  [29, 97, 65536, 2, 4, null, 0],
  [30, 97, 65536, 34, 7, null, 0],
  [31, 97, 25, 35, 25, null, 0],
  [32, 97, 25, 36, 26, null, 0],
  [33, 97, 25, 37, 3, null, 0],
  [34, 97, 3, 38, 8192, 8192, 0],
  [8191, 97, 1, 40, 8191, null, 1],
  [8192, 97, hugeId, 41, 8191, null, 0],
  [16384, 97, hugeId, 42, 8192, null, 0],
  [16385, 97, 26, 43, 65536, null, 0],
  [16386, 97, 2, 44, 3, null, 0],
  [16387, 97, 2, 46, 3, null, 0],
  [16388, 97, 2, 47, 1, null, 0],
  [16389, 97, 2, 48, 2, null, 0],
  [16390, 97, 25, 44, 7, null, 0],
  [65535, 97, 25, 8191, 65536, null, 0],
  [65536, 97, 25, 8192, 16384, null, 0],
  [65537, 97, 25, 16384, 7, null, 0],
  [65538, 97, 25, 65536, 26, null, 0],
  [hugeId, 97, 3, hugeId, hugeId, hugeId, 1],
];

/** id, entry, character, note, official, historical_category, credited_as */
const details: Cell[][] = [
  [1, 1, 'Himself "as is"', null, 1, 'ACTOR', 'A. \u00c9. "Bee"'],
  [2, 1, null, 'A tie.', 1, 'ACTOR', null],
  [3, 1, null, null, 0, null, '__proto__'],
  [5, 2, null, '[Line one\nLine two\u2028]', 1, 'MUSIC (Song)', null],
  [6, 2, null, null, 1, 'MUSIC (Song)', null],
  [12, 7, null, 'THIS IS NOT AN OFFICIAL NOMINATION.', 0, '\u00c9criture', null],
  [13, 8, '\u{1F3AC}', null, 0, 'constructor', null],
  [28, null, 'An Editor\u2019s Role', null, 1, null, null],
  [16384, hugeId, '__proto__', 'x', 1, 'toString', null],
  // Of the same entry as 12, with others of the ceremony between them.
  [16385, 7, null, null, 1, null, null],
  [hugeId, 1, null, null, 0, 'Z', null],
];

/** id, ceremony_id, class, winner, category_id, category, movie_id, recipients, nominee_ids, citation, note */
const honors: Cell[][] = [
  [
    ...[1, 1, 'Special', 1, null, 'SPECIAL AWARD', 27, 'Ann "O\u2019Brien" and others', '[1,25]'],
    ...['For "all"\nof it\u2028', 'A "note"\u2028'],
  ],
  [2, 1, 'SciTech', 1, null, 'SCIENTIFIC OR TECHNICAL AWARD (Class I)', null, null, '[]', null, null],
  [255, 97, 'Special', 0, null, 'HONORARY AWARD', null, '\u00c9cole', '[9007199254740991]', null, null],
  [256, 97, 'SciTech', 1, null, 'constructor', hugeId, '\u{1F3AC}', '[77]', '__proto__', '__proto__'],
  [8192, hugeId, 'Special', 1, null, 'JEAN HERSHOLT 100% AWARD', 24, 'M', '[7,7]', 'x', 'x'],
  // Its film has no nomination; that of the next was nominated before.
  [8193, 2, 'Competitive', 1, 1, 'ACTOR', 37, null, '[]', null, 'no one'],
  [8194, 97, 'Competitive', 0, 8192, 'UNUSED', 1, null, '[1]', null, null],
];

/** Table, id, other names. */
const otherNames: [table: string, id: number, names: string[]][] = [
  ['movies', 1, ['Nineteen Seventeen', 'M\u0301', '1917']],
  ['movies', 8192, ['"\\', '\uac15\ub0a8']],
  ['nominees', 1, ['O\u2019Brien, "Annie"']],
];

/** Fills an empty database. */
export function fillWithNastyRecord(connection: Connection): void {
  const insert = (table: string, fields: string, rows: readonly Cell[][]) => {
    const holes = fields.replaceAll(/\w+/g, '?');
    const statement = connection.prepare(`INSERT INTO ${table} (${fields}) VALUES (${holes})`);
    for (const row of rows)
      statement.run(...row.map((cell) => (Array.isArray(cell) ? JSON.stringify(cell) : cell)));
  };
  const tables: [table: string, fields: string, rows: Cell[][]][] = [
    ['ceremonies', 'id, ceremony_year, date, show_title, overview, movies_eligible, film_years', ceremonies],
    ['categories', 'id, category_name, category_group, definition', categories],
    ['movies', 'id, title, release_date, runtime, genres, origin_country, moviedb_id, filmindex_id', movies],
    [
      'nominees',
      'id, name, known_for_department, moviedb_person_id, filmindex_id, birthday, deathday',
      nominees,
    ],
    ['songs', 'id, original_title, artist_names, streaming_id, streaming_year', songs],
    ['nominations', 'id, ceremony_id, category_id, movie_id, nominee_id, song_id, winner', nominations],
    [
      'honors',
      'id, ceremony_id, class, winner, category_id, category, movie_id, recipients, nominee_ids, citation, note',
      honors,
    ],
  ];
  connection
    .transaction(() => {
      for (const table of tables) insert(...table);
      const update = connection.prepare(
        'UPDATE nominations SET entry = ?, character = ?, note = ?, official = ?, historical_category = ?, credited_as = ? WHERE id = ?',
      );
      for (const [id, ...row] of details) update.run(...row, id);
      for (const [table, id, names] of otherNames)
        connection.prepare(`UPDATE ${table} SET other_names = ? WHERE id = ?`).run(JSON.stringify(names), id);
    })
    .immediate();
}
