/** Requests as the bench makes them: drawn at random, but the same in every run. */
import { fold, tokens } from '../../api/contract/text.ts';
import { Choices, distinct } from './random.ts';

export interface BenchRequest {
  path: string;
  queryString: string;
}

export interface RequestKind {
  name: string;
  /** The goal it is held to. */
  goal: 'list' | 'search' | 'none';
  draw: (choices: Choices) => BenchRequest;
}

/** Up to `count` different requests of a kind, the same in every run. */
export function drawRequests(kind: RequestKind, count: number, seed = 1): BenchRequest[] {
  const choices = new Choices(seed);
  return distinct(count, () => kind.draw(choices), addressOf);
}

export const addressOf = ({ path, queryString }: BenchRequest): string =>
  queryString === '' ? path : `${path}?${queryString}`;

export type Parameters = Record<string, string | number | boolean | undefined>;

export function request(path: string, parameters: Parameters = {}): BenchRequest {
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const queryString = sent
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll('%2C', ',')}`)
    .join('&');
  return { path, queryString };
}

/** Part of a text as people type it: a word, a few letters from within, sometimes all of it. */
export function partOf(choices: Choices, text: string): string {
  const how = choices.fraction();
  const words = tokens(text);
  if (how < 0.4 && words.length > 0) return choices.pick(words);
  if (how < 0.8 && text.length > 3) {
    const folded = fold(text);
    const start = choices.between(0, folded.length - 3);
    return folded.slice(start, start + choices.between(3, 7));
  }
  return text;
}
