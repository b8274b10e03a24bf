/** The writes of the bench: drawn at random from a record, but the same in every run. */
import type { PlainRecord } from '../oracle/record.ts';
import { Choices, distinct } from '../support/random.ts';

export interface Edit {
  method: 'PATCH' | 'POST';
  path: string;
  body: Record<string, unknown>;
}

const patch = (path: string, body: Edit['body']): Edit => ({ method: 'PATCH', path, body });
const post = (path: string, body: Edit['body']): Edit => ({ method: 'POST', path, body });

/** Functions that draw another edit at each call. */
export function editDraws(record: PlainRecord, seed: number) {
  const { ceremonies, categories, movies, nominees, nominations } = record;
  const choices = new Choices(seed);
  const text = textsOf(movies.map((movie) => movie.title));
  const nameText = textsOf(nominees.map((nominee) => nominee.name));
  // Films and nominees that have nominations, each once.
  const films = [...new Map(nominations.map(({ movie_id, movie }) => [movie_id, movie]))];
  const nominated = [...new Map(nominations.map(({ nominee_id, nominee }) => [nominee_id, nominee]))];
  const winners = new Map(nominations.map(({ id, winner }) => [id, winner]));
  let lastNomination = nominations.at(-1)!.id;
  const idOf = (records: readonly { id: number }[]) => choices.pick(records).id;

  const title = (): Edit => {
    const [id, old] = choices.pick(films);
    return patch(`/api/movies/${id}`, { title: text(choices, old) });
  };
  const name = (): Edit => {
    const [id, old] = choices.pick(nominated);
    return patch(`/api/nominees/${id}`, { name: nameText(choices, old) });
  };
  const winner = (): Edit => {
    const id = idOf(nominations);
    winners.set(id, !winners.get(id));
    return patch(`/api/nominations/${id}`, { winner: winners.get(id) });
  };
  const addition = (): Edit => {
    if (choices.chance(0.5)) return post('/api/movies', { title: text(choices, '') });
    lastNomination += 1;
    return post('/api/nominations', {
      id: lastNomination,
      ceremony_id: idOf(ceremonies),
      category_id: idOf(categories),
      movie_id: idOf(movies),
      nominee_id: idOf(nominees),
    });
  };
  /** The mix of a busy day: 60 % titles, 15 % names, 15 % winner flags, 10 % additions. */
  const mixed = (): Edit => {
    const share = choices.fraction();
    if (share < 0.6) return title();
    if (share < 0.75) return name();
    return share < 0.9 ? winner() : addition();
  };
  return { title, winner, mixed };
}

/** Draws texts of the same words that differ from the old one. */
function textsOf(texts: readonly string[]): (choices: Choices, old: string) => string {
  const words = [...new Set(texts.flatMap((text) => text.split(/\s+/u)).filter(Boolean))];
  return (choices, old) => {
    for (;;) {
      const text = choices.picks(words, choices.between(2, 4)).join(' ');
      if (text !== old) return text;
    }
  };
}

/** Up to `count` edits of one kind, each of another record, so that every edit changes something. */
export function drawEdits(record: PlainRecord, kind: 'title' | 'winner', count: number, seed = 1): Edit[] {
  return distinct(count, editDraws(record, seed)[kind], (edit) => edit.path);
}
