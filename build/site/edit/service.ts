/** The service as the editor talks to it: records as they are now, writes, and what became of them. */
import { defaultOf, storedFields, type WritableResource } from '../../../api/contract/bodies.ts';
import type { PointerFault, ProblemDocument } from '../../../api/contract/problems.ts';
import { listPath, recordPath } from '../../../api/contract/routes.ts';
import type { FieldValue, Values } from './fields.ts';

/** A record as it was at some time. */
export interface Loaded {
  values: Values;
  /** What it must still be for a write that minds what others changed. */
  etag: string | undefined;
  /** What the references of a nomination lead to, by field. */
  names: Readonly<Record<string, string>>;
}

export interface Refused {
  kind: 'refused';
  /** 0 where nothing was reached. */
  status: number;
  detail: string;
  faults: readonly PointerFault[];
}

export interface Saved {
  kind: 'saved';
  id: number;
  values: Values;
  etag: string | undefined;
  /** Address of the receipt; undefined where nothing changed. */
  receipt: string | undefined;
}

export type Outcome = Saved | Refused;

/** A receipt as it is shown. */
export interface ReceiptDocument {
  id: number;
  at: string;
  key: string;
  action: 'create' | 'update';
  before: Values | null;
  after: Values;
  snapshot: string | null;
  files: { path: string; action: string; cause: string }[] | null;
}

/** Whether the service behind these addresses takes writes; true where it does not say. */
export async function takesWrites(): Promise<boolean> {
  const response = await fetch(listPath('movies'), { method: 'OPTIONS' }).catch(() => undefined);
  const allowed = response?.headers.get('Allow') ?? response?.headers.get('Access-Control-Allow-Methods');
  return allowed?.includes('POST') ?? true;
}

/** A record as the service has it. @throws Refused */
export async function load(resource: WritableResource, id: number): Promise<Loaded> {
  const response = await fetch(recordPath(resource, id), { cache: 'no-cache' }).catch(() => undefined);
  if (!response?.ok) throw await refusalOf(response);
  const document = await documentIn(response);
  if (document === undefined) throw await refusalOf(undefined);
  return {
    values: storedOf(resource, document),
    etag: response.headers.get('ETag') ?? undefined,
    names: namesIn(document),
  };
}

/** Creates a record, or changes one. @param etag what it must still be */
export async function write(
  resource: WritableResource,
  id: number | undefined,
  body: Values,
  key: string,
  etag: string | undefined,
): Promise<Outcome> {
  const headers: Record<string, string> = { 'x-api-key': key, 'Content-Type': 'application/json' };
  if (etag !== undefined) headers['If-Match'] = etag;
  const path = id === undefined ? listPath(resource) : recordPath(resource, id);
  const method = id === undefined ? 'POST' : 'PATCH';
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (!response?.ok) return refusalOf(response);
  const document = await documentIn(response);
  if (document === undefined) return refusalOf(undefined);
  return {
    kind: 'saved',
    id: document.id as number,
    values: storedOf(resource, document),
    etag: response.headers.get('ETag') ?? undefined,
    receipt: response.headers.get('Receipt') ?? undefined,
  };
}

/** Looks for the files of a receipt: they are noted when all of them are written. */
const looks = 8;
const pauseBetween = 250;

/** What a write did; undefined where the service does not tell. */
export async function readReceipt(path: string, key: string): Promise<ReceiptDocument | undefined> {
  for (let look = 1; ; look += 1) {
    const response = await fetch(path, { headers: { 'x-api-key': key } }).catch(() => undefined);
    if (!response?.ok) return undefined;
    const receipt = (await response.json()) as ReceiptDocument;
    if (receipt.files !== null || look === looks) return receipt;
    await new Promise((resolve) => setTimeout(resolve, pauseBetween));
  }
}

/** The document of an answer; undefined where the answer broke off. */
const documentIn = (response: Response): Promise<Record<string, unknown> | undefined> =>
  (response.json() as Promise<Record<string, unknown>>).catch(() => undefined);

async function refusalOf(response: Response | undefined): Promise<Refused> {
  const detail = 'The service cannot be reached. Whether the change was made, the record itself will tell.';
  if (response === undefined) return { kind: 'refused', status: 0, detail, faults: [] };
  const problem = (await response.json().catch(() => ({}))) as Partial<ProblemDocument>;
  return {
    kind: 'refused',
    status: response.status,
    detail: problem.detail ?? `The service answered with ${response.status}.`,
    faults: (problem.errors ?? []).flatMap((fault) => ('pointer' in fault ? [fault] : [])),
  };
}

/** The fields that the database keeps, of a record as a list or a page shows it. */
function storedOf(resource: WritableResource, document: Record<string, unknown>): Values {
  return Object.fromEntries(
    storedFields(resource).map((name) => [name, (document[name] ?? defaultOf(name)) as FieldValue]),
  );
}

/** What the records that a nomination's page embeds are called. */
function namesIn(document: Record<string, unknown>): Record<string, string> {
  const named = {
    movie: 'title',
    nominee: 'name',
    category: 'category_name',
    ceremony: 'show_title',
    song: 'original_title',
  };
  const names: Record<string, string> = {};
  for (const [member, field] of Object.entries(named)) {
    const embedded = document[member];
    if (typeof embedded !== 'object' || embedded === null) continue;
    const name = (embedded as Record<string, unknown>)[field];
    if (typeof name === 'string') names[`${member}_id`] = name;
  }
  return names;
}
