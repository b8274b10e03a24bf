/**
 * The answers that a page is made of, by key. A server renders a page until every answer that its components ask for is there,
 * and embeds them. In the browser the components begin with the embedded answers.
 */
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { pageDataId } from '../shared/hosting.ts';
import { ApiError } from '../shared/api.ts';
import type { Result } from '../shared/hooks.ts';

/** An answer in JSON: its key and its value, or its key and the refusal of the API. */
type EmbeddedAnswer =
  | readonly [key: string, value: unknown]
  | readonly [
      key: string,
      value: null,
      refusal: { status: number; detail: string; faults: readonly ParameterFault[] },
    ];

/** From this status on, an answer is a failure of the service, and no part of a page. */
const firstFailure = 500;

export class Answers {
  readonly #results = new Map<string, Result<unknown>>();
  readonly #missing = new Map<string, () => Promise<unknown>>();
  #isOpen = true;

  constructor(embedded: readonly EmbeddedAnswer[] = []) {
    for (const [key, value, refusal] of embedded) {
      const error = refusal && new ApiError(refusal.status, refusal.detail, refusal.faults);
      this.#results.set(key, { key, attempt: 0, ...(error ? { error } : { value }) });
    }
  }

  /** The answer to a key. If there is none, load() will get it. */
  of<T>(key: string, load: () => Promise<T>): Result<T> | undefined {
    if (!this.#isOpen) return undefined;
    const known = this.#results.get(key);
    if (known === undefined) this.#missing.set(key, load);
    return known as Result<T> | undefined;
  }

  /** The value for a key; undefined if there is none. */
  valueOf(key: string): unknown {
    return this.#results.get(key)?.value;
  }

  /**
   * Loads the answers that were asked for in vain.
   * @returns whether there were any
   * @throws what a load throws, unless the API refuses the question
   */
  async load(): Promise<boolean> {
    const missing = [...this.#missing];
    this.#missing.clear();
    const loads = missing.map(async ([key, load]): Promise<Result<unknown>> => {
      try {
        return { key, attempt: 0, value: await load() };
      } catch (error) {
        if (!(error instanceof ApiError && error.status < firstFailure)) throw error;
        return { key, attempt: 0, error };
      }
    });
    // The order is that of the components, whichever load ends first.
    for (const settled of await Promise.allSettled(loads)) {
      if (settled.status === 'rejected') throw settled.reason;
      this.#results.set(settled.value.key, settled.value);
    }
    return missing.length > 0;
  }

  /** Forgets everything: from now on components load what they show. */
  close(): void {
    this.#isOpen = false;
    this.#results.clear();
    this.#missing.clear();
  }

  toJSON(): EmbeddedAnswer[] {
    return [...this.#results.values()].map(({ key, value, error }) =>
      error instanceof ApiError
        ? [key, null, { status: error.status, detail: error.message, faults: error.faults }]
        : [key, value],
    );
  }
}

/** What the HTML of a server carries for the program of the browser. */
interface Embedded {
  /** Id of the snapshot that the page was made from. */
  snapshot: string;
  /** Scheme and host of the site. */
  origin: string;
  answers: readonly EmbeddedAnswer[];
}

/** What a server has put into a page; undefined on a host of plain files. */
export function embeddedIn(page: Document): Embedded | undefined {
  const text = page.getElementById(pageDataId)?.textContent;
  return text ? (JSON.parse(text) as Embedded) : undefined;
}

/** Data as the text of a script element. */
export const dataText = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
