/** The writes the bench makes, drawn at random from a record, but the same in every run. */
import type { PlainRecord } from '../oracle/record.ts';
import { Choices, distinct } from './random.ts';

export interface Edit {
  method: 'PATCH' | 'POST';
  path: string;
  body: Record<string, unknown>;
}

/** A text of words that others have in theirs, and not the one it replaces. */
function textInstead(choices: Choices, words: readonly string[], old: string): string {
  for (;;) {
    const text = choices.picks(words, choices.between(2, 4)).join(' ');
    if (text !== old) return text;
  }
}

type Named = readonly [id: number, name: string];

/** Each once. */
const named = (mentions: readonly Named[]): Named[] => [...new Map(mentions)];

const wordsOf = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/\s+/u)).filter((word) => word !== '')),
];

const patch = (path: string, body: Record<string, unknown>): Edit => ({ method: 'PATCH', path, body });

/** What editors do to a record, each call another edit. */
export class EditDraws {
  readonly #record: PlainRecord;
  readonly #choices: Choices;
  readonly #titleWords: readonly string[];
  readonly #nameWords: readonly string[];
  readonly #films: readonly Named[];
  readonly #people: readonly Named[];
  readonly #winners: Map<number, boolean>;
  #nextNomination: number;

  constructor(record: PlainRecord, seed: number) {
    this.#record = record;
    this.#choices = new Choices(seed);
    this.#titleWords = wordsOf(record.movies.map((movie) => movie.title));
    this.#nameWords = wordsOf(record.nominees.map((nominee) => nominee.name));
    this.#films = named(record.nominations.map(({ movie_id, movie }) => [movie_id, movie]));
    this.#people = named(record.nominations.map(({ nominee_id, nominee }) => [nominee_id, nominee]));
    this.#winners = new Map(record.nominations.map(({ id, winner }) => [id, winner]));
    this.#nextNomination = record.nominations.at(-1)!.id + 1;
  }

  /** Another title for a film that has nominations. */
  title(): Edit {
    const [id, old] = this.#choices.pick(this.#films);
    return patch(`/api/movies/${id}`, { title: textInstead(this.#choices, this.#titleWords, old) });
  }

  /** Another name for somebody who has nominations. */
  name(): Edit {
    const [id, old] = this.#choices.pick(this.#people);
    return patch(`/api/nominees/${id}`, { name: textInstead(this.#choices, this.#nameWords, old) });
  }

  /** The other value of a nomination's winner flag. */
  winner(): Edit {
    const { id } = this.#choices.pick(this.#record.nominations);
    const winner = !this.#winners.get(id);
    this.#winners.set(id, winner);
    return patch(`/api/nominations/${id}`, { winner });
  }

  /** A new film, or a new nomination of one that is there. */
  addition(): Edit {
    const { ceremonies, categories, movies, nominees } = this.#record;
    if (this.#choices.chance(0.5))
      return {
        method: 'POST',
        path: '/api/movies',
        body: { title: textInstead(this.#choices, this.#titleWords, '') },
      };
    const id = this.#nextNomination++;
    const idOf = (records: readonly { id: number }[]) => this.#choices.pick(records).id;
    return {
      method: 'POST',
      path: '/api/nominations',
      body: {
        id,
        ceremony_id: idOf(ceremonies),
        category_id: idOf(categories),
        movie_id: idOf(movies),
        nominee_id: idOf(nominees),
      },
    };
  }

  /** As a busy day brings them: 60 % titles, 15 % names, 15 % winner flags, 10 % additions. */
  mixed(): Edit {
    const share = this.#choices.fraction();
    if (share < 0.6) return this.title();
    if (share < 0.75) return this.name();
    return share < 0.9 ? this.winner() : this.addition();
  }
}

export type SingleEdit = 'title' | 'winner';

/** Up to `count` edits of one kind, each of another record, so that every one of them changes something. */
export function drawEdits(record: PlainRecord, kind: SingleEdit, count: number, seed = 1): Edit[] {
  const draws = new EditDraws(record, seed);
  return distinct(
    count,
    () => draws[kind](),
    (edit) => edit.path,
  );
}
