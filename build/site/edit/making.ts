/** The writes of a form, and what becomes of them: a new record of a name, a lost answer. */
import { useRef } from 'preact/hooks';
import type { ListOf } from '../../../api/contract/answers.ts';
import type { ReferencedResource, WritableResource } from '../../../api/contract/names.ts';
import * as routes from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import { isNamed, type NamedResource, nameMembers } from './naming.ts';
import { isSame, list, load, read, refresh, type Values, withoutDetails } from './reading.ts';
import { type Fault, type Refusal, refusal } from './refusal.ts';
import { bodyOf, type Outcome, send, type Signature, type Write } from './requests.ts';

/**
 * Of a form: the writes whose answer was lost. They are sent again as they were, so that nothing is written
 * twice.
 */
export type Attempt = { current: readonly Write[] | undefined };

/** What the form of this view has sent. */
export const useAttempt = (): Attempt => useRef<readonly Write[] | undefined>(undefined);

/** Ids of a collection, the highest among them. Ceremonies and honors are in no order of ids. */
async function newestIds(resource: WritableResource): Promise<number[]> {
  if (resource === 'ceremonies' || resource === 'honors') return (await list(resource)).map(({ id }) => id);
  const { data } = (await read<ListOf['movies']>(routes.listPath(resource), 'sort=-id&limit=1')).document;
  return data.map(({ id }) => id);
}

/** The writes of a form, while they are made. */
export class Making {
  readonly writes: Write[] = [];
  readonly faults: Fault[] = [];
  readonly #made = new Map<string, number>();
  readonly #used = new Map<string, number>();

  /** Another free id each time. Another editor can take it before it is sent. */
  async freeId(resource: WritableResource): Promise<number> {
    const known = this.#used.get(resource) ?? Math.max(0, ...(await newestIds(resource)));
    const id = known + 1;
    this.#used.set(resource, id);
    return id;
  }

  /** The id of a new record with a name: the first time, its write is added. */
  async newId(resource: NamedResource, name: string, control: string): Promise<number> {
    const key = `${resource} ${fold(name.trim())}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const id = await this.freeId(resource);
    const body = { id, [nameMembers[resource]]: name.trim() };
    this.writes.push({ method: 'POST', path: routes.listPath(resource), body, controlOf: () => control });
    this.#made.set(key, id);
    return id;
  }

  /**
   * The id that a name stands for; null if it is empty.
   * @param chosen 0 for a new record; undefined if the editor must choose
   */
  async idOf(resource: ReferencedResource, name: string, chosen: number | undefined, control: string) {
    if (name.trim() === '') return null;
    if (chosen === undefined) this.faults.push({ control, message: 'must name one record: choose which' });
    return chosen === 0 && isNamed(resource) ? this.newId(resource, name, control) : chosen;
  }
}

/** Adds the change of a record, which is refused if another editor changes the record meanwhile. */
export async function addChange(
  resource: WritableResource,
  id: number,
  body: Values,
  making: Making,
  controlOf?: (member: string) => string,
): Promise<void> {
  const path = routes.recordPath(resource, id);
  const { etag } = await read(path);
  making.writes.push({ method: 'PATCH', path, body, if_match: etag, ...(controlOf && { controlOf }) });
}

/**
 * Adds a new record with a free number, or the change of one.
 * @param id undefined for a new record @param etag of the record that is changed
 */
export async function addRecord(
  resource: WritableResource,
  id: number | undefined,
  values: Values,
  etag: string | undefined,
  making: Making,
): Promise<void> {
  const body = bodyOf(resource, values);
  if (id !== undefined)
    making.writes.push({ method: 'PATCH', path: routes.recordPath(resource, id), body, if_match: etag });
  else {
    const numbered = { id: await making.freeId(resource), ...body };
    making.writes.push({ method: 'POST', path: routes.listPath(resource), body: numbered });
  }
}

/** Adds the deletions of records. */
export async function addDeletions(resource: WritableResource, ids: readonly number[], making: Making) {
  for (const id of ids) {
    const path = routes.recordPath(resource, id);
    making.writes.push({ method: 'DELETE', path, if_match: (await read(path)).etag });
  }
}

/**
 * Carries out the writes of a form, which may make records, as one batch.
 * @param signature the key of the editor, and the note of the writes
 * @throws Refusal
 */
export async function sendOnce(
  attempt: Attempt,
  make: (making: Making) => Promise<unknown>,
  signature: Signature,
): Promise<Outcome> {
  const lost = attempt.current;
  const making = new Making();
  await refresh();
  if (!lost) await make(making);
  if (making.faults.length > 0) throw refusal(422, '', making.faults);
  const writes = lost ?? making.writes;
  attempt.current = undefined;
  try {
    return await send(writes, signature);
  } catch (error) {
    const { status } = error as Refusal;
    // A wrong key says nothing about what was sent before.
    if (status === 0 || status >= 500 || (lost && (status === 401 || status === 429)))
      attempt.current = writes;
    if (!lost || status !== 409) throw error;
    const { path, body = {} } = writes.at(-1)!;
    const [, , resource, id = body.id] = path.split('/');
    const last = await load(resource as WritableResource, Number(id));
    const sent = Object.entries(withoutDetails(body));
    if (!sent.every(([name, value]) => isSame(value, last.values[name]))) throw error;
    return { last, receipts: [] };
  }
}
