/** What becomes of the rows of the record, rule by rule. */
import { beforeEach, describe, expect, it } from 'vitest';
import { importText } from '../../data/import/import.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { column, nominations, recordOf } from './record-text.ts';

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});

describe('rows of the record', () => {
  it('are left out and counted where they are honorary, filmless or nomineeless', () => {
    const report = importText(
      connection,
      recordOf(
        {},
        { Class: 'SciTech', CanonicalCategory: 'SCIENTIFIC OR TECHNICAL AWARD (Class I)' },
        { Class: 'Special', CanonicalCategory: 'HONORARY AWARD', Film: '', FilmId: '' },
        { Film: '', FilmId: '' },
        { Film: 'Letter from Livingston', FilmId: '' },
        { Nominees: '', NomineeIds: '', Name: '' },
      ),
    );
    expect(nominations(connection)).toEqual(['97 Directing: Anora / Sean Baker*']);
    expect(report.leftOut.map(({ rows }) => rows)).toEqual([2, 2, 1]);
    expect(report.leftOut.map(({ reason }) => reason).join()).toMatch(/honorary.*no film.*neither a nominee/);
  });

  it('stand for one nomination per film and nominee, films outermost', () => {
    importText(
      connection,
      recordOf({ Film: 'A|B', FilmId: 'tt1|tt2', Nominees: 'X|Y', NomineeIds: 'nm1|nm2', Winner: '' }),
    );
    expect(nominations(connection)).toEqual([
      '97 Directing: A / X',
      '97 Directing: A / Y',
      '97 Directing: B / X',
      '97 Directing: B / Y',
    ]);
  });

  it('count a nominee once who stands in them twice, by id or by name where no id is known', () => {
    importText(
      connection,
      recordOf({ Nominees: 'MGM London|MGM British|Ortus|Ortus', NomineeIds: 'co7|co7|?|?', Winner: '' }),
    );
    expect(nominations(connection)).toEqual([
      '97 Directing: Anora / MGM British',
      '97 Directing: Anora / Ortus',
    ]);
  });

  it('without a nominee take their wording for one: the country of an international film', () => {
    importText(
      connection,
      recordOf({
        CanonicalCategory: 'INTERNATIONAL FEATURE FILM',
        Name: 'Brazil',
        Nominees: '',
        NomineeIds: '',
      }),
    );
    expect(nominations(connection)).toEqual(['97 International Feature Film: Anora / Brazil*']);
    expect(column(connection, 'nominees', 'filmindex_id')).toEqual([null]);
    expect(column(connection, 'nominees', 'known_for_department')).toEqual([null]);
  });
});

describe('identity', () => {
  it('is the id where it is known, and the name shown is that of the latest row', () => {
    importText(
      connection,
      recordOf(
        { Ceremony: '1', Year: '1927/28', Nominees: 'Fox', NomineeIds: 'co28775' },
        { Ceremony: '14', Year: '1941', Nominees: '20th Century-Fox', NomineeIds: 'co28775' },
      ),
    );
    expect(column(connection, 'nominees', 'name')).toEqual(['20th Century-Fox']);
  });

  it.each(['?', 'nm0001053,nm0001054', 'ch123', 'nm'])('is the name where the id is "%s"', (id) => {
    importText(
      connection,
      recordOf(
        { Nominees: 'Roderick Jaynes', NomineeIds: id },
        { CanonicalCategory: 'FILM EDITING', Nominees: 'Roderick Jaynes', NomineeIds: id },
      ),
    );
    expect(column(connection, 'nominees', 'filmindex_id')).toEqual([null]);
    expect(countRecords(connection)).toMatchObject({ nominees: 1, nominations: 2 });
  });

  it('keeps two films of one title and two people of one name apart', () => {
    importText(
      connection,
      recordOf({ FilmId: 'tt1', NomineeIds: 'nm1' }, { FilmId: 'tt2', NomineeIds: 'nm2' }),
    );
    expect(countRecords(connection)).toMatchObject({ movies: 2, nominees: 2 });
  });

  it('is assigned from 1 in order of first appearance', () => {
    importText(connection, recordOf({ Film: 'B|A', FilmId: 'tt2|tt1' }, { Film: 'C|A', FilmId: 'tt3|tt1' }));
    expect(column(connection, 'movies', "id || ' ' || title")).toEqual(['1 B', '2 A', '3 C']);
    expect(column(connection, 'nominations', 'id')).toEqual([1, 2, 3]);
  });
});

describe('categories', () => {
  it('fold the many of the record into thirty, all of them there from the start', () => {
    importText(
      connection,
      recordOf(
        { CanonicalCategory: 'UNIQUE AND ARTISTIC PICTURE', Film: 'Sunrise', FilmId: 'tt1' },
        { CanonicalCategory: 'CINEMATOGRAPHY (Color)', Film: 'Wings', FilmId: 'tt2' },
      ),
    );
    expect(nominations(connection).map((text) => text.split(':')[0])).toEqual([
      '97 Best Picture',
      '97 Cinematography',
    ]);
    expect(countRecords(connection).categories).toBe(30);
    expect(column(connection, 'categories', 'definition IS NULL OR history IS NULL')).not.toContain(1);
  });

  it('have as era their first to last year with a nomination, or none', () => {
    importText(
      connection,
      recordOf(
        { Ceremony: '1', Year: '1927/28' },
        {},
        { CanonicalCategory: 'CASTING', Ceremony: '98', Year: '2025' },
      ),
    );
    const eras = column(connection, 'categories', "category_name || ' ' || era");
    expect(eras.filter((era) => era !== null)).toEqual(['Directing 1929–2025', 'Casting 2026']);
  });
});

describe('ceremonies', () => {
  it('carry number, date, venue, titles and window, and the year of their date', () => {
    importText(connection, recordOf({}, { Ceremony: '6', Year: '1932/33' }));
    expect(connection.prepare('SELECT * FROM ceremonies WHERE id = 97').get()).toMatchObject({
      ceremony_year: 2025,
      date: '2025-03-02',
      show_title: '97th Academy Awards',
      venue: 'Dolby Theatre, Hollywood',
      movies_eligible: 'Films released between 1 January 2024 and 31 December 2024',
      wikiurl: 'https://en.wikipedia.org/wiki/97th_Academy_Awards',
      moment_1_caption: null,
    });
    expect(column(connection, 'ceremonies', 'ceremony_year')).toEqual([1934, 2025]);
  });

  it('later than the project knows are taken in with what follows from their number', () => {
    importText(connection, recordOf({ Ceremony: '101', Year: '2028' }));
    expect(connection.prepare('SELECT * FROM ceremonies').get()).toMatchObject({
      id: 101,
      ceremony_year: 2029,
      show_title: '101st Academy Awards',
      date: null,
      venue: null,
      movies_eligible: null,
    });
  });
});

describe('songs', () => {
  const song = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden', Nominees: 'EJAE|Teddy Park' };

  it('are one per film and title, by the nominees joined', () => {
    importText(
      connection,
      recordOf(
        { ...song, NomineeIds: 'nm1|nm2' },
        { ...song, Film: 'Other', FilmId: 'tt9', Nominees: 'Other', NomineeIds: 'nm9' },
      ),
    );
    expect(column(connection, 'songs', "original_title || ' by ' || artist_names")).toEqual([
      'Golden by EJAE, Teddy Park',
      'Golden by Other',
    ]);
    expect(nominations(connection)[1]).toBe('97 Music (Original Song): Anora / Teddy Park (Golden)*');
  });

  it('are made by no other category, whatever its detail', () => {
    importText(connection, recordOf({ CanonicalCategory: 'ACTOR IN A LEADING ROLE', Detail: 'Igor' }));
    expect(countRecords(connection).songs).toBe(0);
  });
});

describe('the department of a person', () => {
  const departments = () =>
    column(connection, 'nominees', "name || ': ' || coalesce(known_for_department, '-')");

  it('is that of most of their nominations', () => {
    importText(
      connection,
      recordOf(
        { CanonicalCategory: 'ACTOR IN A LEADING ROLE' },
        { CanonicalCategory: 'DIRECTING' },
        { CanonicalCategory: 'DIRECTING', Ceremony: '98', Year: '2025', Film: 'B', FilmId: 'tt2' },
      ),
    );
    expect(departments()).toEqual(['Sean Baker: Directing']);
  });

  it('is the earliest of several with as many', () => {
    importText(
      connection,
      recordOf(
        { CanonicalCategory: 'WRITING (Original Screenplay)', Ceremony: '98', Year: '2025' },
        { CanonicalCategory: 'FILM EDITING' },
        { CanonicalCategory: 'BEST PICTURE' },
      ),
    );
    expect(departments()).toEqual(['Sean Baker: Editing']);
  });

  it('is unknown for companies and for whoever has no id', () => {
    importText(connection, recordOf({ Nominees: 'Fox|Ortus', NomineeIds: 'co1|?' }));
    expect(departments()).toEqual(['Fox: -', 'Ortus: -']);
  });
});
