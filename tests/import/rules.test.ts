/** The rules by which rows of the record become nominations. */
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../data/import/merge.ts';
import { type Row, useDatabase } from './record-text.ts';

const { connection, imported, edit, nominations, column, counts } = useDatabase();

describe('a row of the record', () => {
  it('is no nomination if it is honorary, and left out without a film or without a nominee', async () => {
    const report = await imported(
      {},
      { Class: 'SciTech', CanonicalCategory: 'SCIENTIFIC OR TECHNICAL AWARD (Class I)' },
      { Class: 'Special', CanonicalCategory: 'HONORARY AWARD', Film: '', FilmId: '' },
      { Film: '', FilmId: '', Detail: 'The Street of Sin' },
      { Film: 'Letter from Livingston', FilmId: '', Name: '' },
      { Nominees: '', NomineeIds: '', Name: '' },
    );
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*']);
    const filmless = 'it names no film that can be identified';
    expect(report.leftOut).toEqual([
      { line: 5, row: '97 DIRECTING: Sean Baker / The Street of Sin', reason: filmless },
      { line: 6, row: '97 DIRECTING: Letter from Livingston / Sean Baker', reason: filmless },
      { line: 7, row: '97 DIRECTING: Anora', reason: 'it has neither a nominee nor a name' },
    ]);
  });

  it('that is left out is listed; of many the report names ten, and all as data', async () => {
    const report = await imported({}, ...Array.from({ length: 12 }, () => ({ Film: '', FilmId: '' })));
    const lines = renderReport(report)
      .split('\n')
      .filter((line) => line.startsWith('left out'));
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe(
      'left out: line 3, 97 DIRECTING: Sean Baker (it names no film that can be identified)',
    );
    expect(lines.slice(10)).toEqual(['left out: 2 more', 'left out in all: 12 rows']);
    expect(report.leftOut).toHaveLength(12);
  });

  it('becomes one nomination per film and nominee, films outermost', async () => {
    await imported({ Film: 'A|B', FilmId: 'tt1|tt2', Nominees: 'X|Y', NomineeIds: 'nm1|nm2', Winner: '' });
    expect(nominations()).toEqual([
      '97 Directing: A / X',
      '97 Directing: A / Y',
      '97 Directing: B / X',
      '97 Directing: B / Y',
    ]);
  });

  it('counts a nominee who appears twice once, by id or else by name', async () => {
    await imported({ Nominees: 'MGM London|MGM British|Ortus|Ortus', NomineeIds: 'co7|co7|?|?', Winner: '' });
    expect(nominations()).toEqual(['97 Directing: Anora / MGM British', '97 Directing: Anora / Ortus']);
  });

  it('without a nominee has its text as nominee: the country of an international film', async () => {
    await imported({
      CanonicalCategory: 'INTERNATIONAL FEATURE FILM',
      Name: 'Brazil',
      Nominees: '',
      NomineeIds: '',
    });
    expect(nominations()).toEqual(['97 International Feature Film: Anora / Brazil*']);
    expect(column('nominees', 'filmindex_id')).toEqual([null]);
    expect(column('nominees', 'known_for_department')).toEqual([null]);
  });
});

/** A row with a film of its own. */
let films = 0;
function spelt(name: string, id = 'nm1'): Row {
  films += 1;
  return { Film: `Film ${films}`, FilmId: `tt${100 + films}`, Nominees: name, NomineeIds: id, Winner: '' };
}

describe('identity', () => {
  it('is the id, and the name is the spelling of most rows', async () => {
    await imported(spelt('Ann Doe'), spelt('X. Y. Alias'), spelt('Ann Doe'), spelt('A. Doe'));
    expect(column('nominees', 'name')).toEqual(['Ann Doe']);
  });

  it('has the latest of spellings that are equally common, where a row counts once', async () => {
    await imported(
      ...[spelt('Fox'), spelt('20th Century-Fox')],
      { ...spelt('Fox|Fox', 'nm1|nm1'), Film: 'A|B', FilmId: 'tt1|tt2' },
      spelt('20th Century-Fox'),
    );
    expect(column('nominees', 'name')).toEqual(['20th Century-Fox']);
  });

  it('has a spelling with several people or a job only where there is no other', async () => {
    const [job, both] = ['Screenplay - Ann Doe', 'Ben Roe - Cy Poe'];
    await imported(spelt(job), spelt('Ann Doe'), spelt(job), spelt(both, 'nm2'), spelt(job));
    expect(column('nominees', 'name')).toEqual(['Ann Doe', both]);
  });

  it('keeps the name that an editor gave, also if later files have other spellings', async () => {
    await imported(spelt('A. Doe'), spelt('B. Roe', 'nm2'));
    edit("UPDATE nominees SET name = 'Ours' WHERE id = 2");
    await imported(...['A. Doe', 'Ann', 'Ann'].map((name) => spelt(name)), spelt('Ben Roe', 'nm2'));
    expect(column('nominees', 'name')).toEqual(['Ann', 'Ours']);
  });

  it.each(['?', 'nm0001053,nm0001054', 'ch123', 'nm'])('is the name if the id is "%s"', async (id) => {
    await imported(
      { Nominees: 'Roderick Jaynes', NomineeIds: id },
      { CanonicalCategory: 'FILM EDITING', Nominees: 'Roderick Jaynes', NomineeIds: id },
    );
    expect(column('nominees', 'filmindex_id')).toEqual([null]);
    expect(counts()).toMatchObject({ nominees: 1, nominations: 2 });
  });

  it('distinguishes two films of one title and two people of one name', async () => {
    await imported({ FilmId: 'tt1', NomineeIds: 'nm1' }, { FilmId: 'tt2', NomineeIds: 'nm2' });
    expect(counts()).toMatchObject({ movies: 2, nominees: 2 });
  });

  it('gets ids from 1 in order of first appearance', async () => {
    await imported({ Film: 'B|A', FilmId: 'tt2|tt1' }, { Film: 'C|A', FilmId: 'tt3|tt1' });
    expect(column('movies', "id || ' ' || title")).toEqual(['1 B', '2 A', '3 C']);
    expect(column('nominations', 'id')).toEqual([1, 2, 3]);
  });
});

describe('categories', () => {
  it('are thirty for all categories of the record, and all are added by the first import', async () => {
    await imported(
      { CanonicalCategory: 'UNIQUE AND ARTISTIC PICTURE', Film: 'Sunrise', FilmId: 'tt1' },
      { CanonicalCategory: 'CINEMATOGRAPHY (Color)', Film: 'Wings', FilmId: 'tt2' },
    );
    expect(nominations().map((text) => text.split(':')[0])).toEqual(['97 Best Picture', '97 Cinematography']);
    expect(counts().categories).toBe(30);
    expect(column('categories', 'definition IS NULL OR history IS NULL')).not.toContain(1);
  });

  it('have an era from their first to their last nomination, or none', async () => {
    await imported(
      { Ceremony: '1', Year: '1927/28' },
      {},
      { CanonicalCategory: 'CASTING', Ceremony: '98', Year: '2025' },
    );
    const eras = column('categories', "category_name || ' ' || era");
    expect(eras.filter((era) => era !== null)).toEqual(['Directing 1929–2025', 'Casting 2026']);
  });
});

describe('ceremonies', () => {
  it('have date, venue, titles, eligibility and the year of their date', async () => {
    await imported({}, { Ceremony: '6', Year: '1932/33' });
    expect(connection().prepare('SELECT * FROM ceremonies WHERE id = 97').get()).toMatchObject({
      ceremony_year: 2025,
      date: '2025-03-02',
      show_title: '97th Academy Awards',
      venue: 'Dolby Theatre, Hollywood',
      movies_eligible: 'Films released between 1 January 2024 and 31 December 2024',
      wikiurl: 'https://en.wikipedia.org/wiki/97th_Academy_Awards',
      moment_1_caption: null,
    });
    expect(column('ceremonies', 'ceremony_year')).toEqual([1934, 2025]);
  });

  it('later than the reference have the facts that follow from their number', async () => {
    await imported({ Ceremony: '101', Year: '2028' });
    expect(connection().prepare('SELECT * FROM ceremonies').get()).toMatchObject({
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

  it('are one per film and title, with the nominees as artists', async () => {
    await imported(
      { ...song, NomineeIds: 'nm1|nm2' },
      { ...song, Film: 'Other', FilmId: 'tt9', Nominees: 'Other', NomineeIds: 'nm9' },
    );
    expect(column('songs', "original_title || ' by ' || artist_names")).toEqual([
      'Golden by EJAE, Teddy Park',
      'Golden by Other',
    ]);
    expect(nominations()[1]).toBe('97 Music (Original Song): Anora / Teddy Park (Golden)*');
  });

  it('come from no other category', async () => {
    await imported({ CanonicalCategory: 'ACTOR IN A LEADING ROLE', Detail: 'Igor' });
    expect(counts().songs).toBe(0);
  });
});

describe('the department of a person', () => {
  const departments = () => column('nominees', "name || ': ' || coalesce(known_for_department, '-')");

  it('is the one of most of their nominations', async () => {
    await imported(
      { CanonicalCategory: 'ACTOR IN A LEADING ROLE' },
      { CanonicalCategory: 'DIRECTING' },
      { CanonicalCategory: 'DIRECTING', Ceremony: '98', Year: '2025', Film: 'B', FilmId: 'tt2' },
    );
    expect(departments()).toEqual(['Sean Baker: Directing']);
  });

  it('is the earliest of several with equal numbers', async () => {
    await imported(
      { CanonicalCategory: 'WRITING (Original Screenplay)', Ceremony: '98', Year: '2025' },
      { CanonicalCategory: 'FILM EDITING' },
      { CanonicalCategory: 'BEST PICTURE' },
    );
    expect(departments()).toEqual(['Sean Baker: Editing']);
  });

  it('is Music for those of a score or a song', async () => {
    await imported(
      { CanonicalCategory: 'MUSIC (Original Score)', Nominees: 'Ann', NomineeIds: 'nm1' },
      { CanonicalCategory: 'MUSIC (Original Song)', Nominees: 'Ben', NomineeIds: 'nm2' },
      { CanonicalCategory: 'SOUND MIXING', Nominees: 'Cy', NomineeIds: 'nm3' },
    );
    expect(departments()).toEqual(['Ann: Music', 'Ben: Music', 'Cy: Sound']);
  });

  it('is unknown for companies and for nominees without an id', async () => {
    await imported({ Nominees: 'Fox|Ortus', NomineeIds: 'co1|?' });
    expect(departments()).toEqual(['Fox: -', 'Ortus: -']);
  });
});
