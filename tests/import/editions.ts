/** Made-up editions of the record: each is the one before with corrections, such as renames, winners and moved rows. */
import fc from 'fast-check';
import { type Row, recordOf } from './record-text.ts';

interface Thing {
  id: string;
  name: string;
}

interface MadeUpRow {
  ceremony: number;
  category: string;
  films: Thing[];
  nominees: Thing[];
  winner: boolean;
  detail: string;
  note: string;
  isHonor: boolean;
}

const categories = [
  ...['DIRECTING', 'BEST PICTURE', 'ACTRESS IN A LEADING ROLE', 'MUSIC (Original Song)'],
  ...['CINEMATOGRAPHY', 'CINEMATOGRAPHY (Color)'],
];
/** Few names, so that different things share one. */
const names = ['Ann', 'Ben', 'Cy', 'Dee "D" Doe'];

/** A correction: what it is, and two numbers that choose where and how. */
export type Correction = [kind: number, where: number, how: number];
export const anyCorrection = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)) as fc.Arbitrary<Correction>;

export class Edition {
  #rows: MadeUpRow[] = [];
  readonly #films = Array.from({ length: 3 }, (_, at) => ({ id: `tt${at + 1}`, name: names[at % 2]! }));
  readonly #nominees = Array.from({ length: 4 }, (_, at) => ({ id: `nm${at + 1}`, name: names[at % 3]! }));

  constructor() {
    for (let at = 0; at < 6; at += 1) this.#add(at * 7, at * 5);
  }

  text(): string {
    return recordOf(...this.#rows.map(rowOf));
  }

  correct([kind, where, how]: Correction): void {
    const row = this.#rows[where % this.#rows.length]!;
    const nominee = this.#nominees[how % this.#nominees.length]!;
    const kinds: (() => unknown)[] = [
      () => this.#add(where, how),
      () => this.#add(where, how, true),
      // A file without rows is refused.
      () => this.#rows.length > 1 && this.#rows.splice(where % this.#rows.length, 1),
      () => void this.#rows.reverse(),
      () => Object.assign(row, { winner: !row.winner }),
      () => Object.assign(row, { category: categories[how % categories.length]! }),
      () => Object.assign(row, { ceremony: 96 + (how % 3) }),
      () => Object.assign(row, { note: how % 3 === 0 ? '' : `NOTE: ${names[how % 4]} ${how % 5}` }),
      () => Object.assign(row, { detail: how % 3 === 0 ? '' : `Detail ${how % 3}` }),
      () =>
        Object.assign(row, { nominees: row.nominees.length > 1 ? [nominee] : [...row.nominees, nominee] }),
      () => Object.assign(row, { films: [this.#films[how % this.#films.length]!] }),
      () => Object.assign(this.#films[where % this.#films.length]!, { name: names[how % 4] }),
      () => Object.assign(nominee, { name: names[where % 4] }),
      // Another spelling in one row.
      () =>
        Object.assign(row, { nominees: row.nominees.map((each) => ({ ...each, name: names[how % 4]! })) }),
      () => toggleId(this.#films[where % this.#films.length]!, `tt${1 + (where % this.#films.length)}`),
      () => toggleId(nominee, `nm${1 + (how % this.#nominees.length)}`),
      () => toggleId(nominee, `co${1 + (how % this.#nominees.length)}`),
    ];
    kinds[kind % kinds.length]!();
  }

  #add(where: number, how: number, isHonor = false): void {
    const film = this.#films[where % this.#films.length]!;
    const nominee = this.#nominees[how % this.#nominees.length]!;
    this.#rows.splice(where % (this.#rows.length + 1), 0, {
      ...{ ceremony: 96 + (how % 3), category: categories[(where + how) % categories.length]!, isHonor },
      films: how % 4 === 0 ? [film, this.#films[(where + 1) % this.#films.length]!] : [film],
      nominees: where % 3 === 0 ? [nominee, this.#nominees[(how + 1) % this.#nominees.length]!] : [nominee],
      ...{ winner: false, detail: `Detail ${how % 2}`, note: '' },
    });
  }
}

function toggleId(thing: Thing, id: string): void {
  thing.id = thing.id === '?' ? id : '?';
}

function rowOf({ ceremony, category, films, nominees, winner, detail, note, isHonor }: MadeUpRow): Row {
  const joined = (things: readonly Thing[], field: keyof Thing) =>
    things.map((each) => each[field]).join('|');
  return {
    ...{ Ceremony: String(ceremony), Year: String(1927 + ceremony), Winner: winner ? 'True' : '' },
    ...{ Class: isHonor ? 'Special' : 'X', CanonicalCategory: category, Category: `OLD ${category}` },
    ...{ Film: joined(films, 'name'), FilmId: joined(films, 'id') },
    ...{ Name: '', Nominees: joined(nominees, 'name'), NomineeIds: joined(nominees, 'id') },
    ...{ Detail: detail, Note: note, Citation: isHonor ? note : '' },
  };
}
