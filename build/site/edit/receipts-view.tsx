/** The list of receipts: searched by record, key, time and batch, with what changed and a way back. */
import { useEffect, useState } from 'preact/hooks';
import { isWritable, resourceNames } from '../../../api/contract/names.ts';
import { listPath, recordPath } from '../../../api/contract/routes.ts';
import { capitalized, nouns } from '../shared/format.ts';
import type { Refused } from './answers.ts';
import { refreshRecord } from './candidates.ts';
import { type Field, fieldsOf, undoValues } from './fields.ts';
import { editAddress } from './navigation.ts';
import { NoticeBox, Receipt, useWriting } from './outcome.tsx';
import { bodyOf, findReceipts, type FlatReceipt, writeBatch } from './service.ts';

interface ReceiptsViewProps {
  accessKey: string;
  onWrongKey: () => void;
}

const perPage = 25;

const searchFields = [
  { name: 'record_id', label: 'Number of the record', kind: 'numeric' },
  { name: 'key', label: 'Name of the key', kind: 'text' },
  { name: 'since', label: 'First day', kind: 'date' },
  { name: 'until', label: 'Last day', kind: 'date' },
  { name: 'group', label: 'Number of the batch', kind: 'numeric' },
] as const;

/** The filters that are set. */
function filtersIn(form: FormData): URLSearchParams {
  const entries = [...form].map(([name, value]) => [name, String(value).trim()]);
  return new URLSearchParams(entries.filter(([, value]) => value !== ''));
}

/** The receipts found so far, and the functions that find and undo. */
function useReceipts({ accessKey, onWrongKey }: ReceiptsViewProps) {
  const [found, setFound] = useState<{ query: string; receipts: FlatReceipt[]; hasMore: boolean }>();
  const { notice, isBusy, carryOut } = useWriting(onWrongKey);

  /** @returns undefined if it could be read */
  async function read(query: string, earlier: readonly FlatReceipt[] = []): Promise<Refused | undefined> {
    const before = earlier.length > 0 ? `&before=${earlier.at(-1)!.id}` : '';
    const outcome = await findReceipts(`limit=${perPage}&${query}${before}`, accessKey);
    if ('kind' in outcome) return outcome;
    setFound({ query, ...outcome, receipts: [...earlier, ...outcome.receipts] });
    return undefined;
  }

  const find = (query: string, earlier?: readonly FlatReceipt[]) => carryOut(() => read(query, earlier));

  /** Takes changes back, all or none. @param changes newest first */
  const undo = (changes: readonly FlatReceipt[], text: string) =>
    carryOut(async () => {
      const outcome = await writeBatch(changes.map(undoing), accessKey);
      if ('kind' in outcome) return outcome;
      await refreshRecord();
      await read(found!.query);
      return { kind: 'saved', text };
    });

  return { found, notice, isBusy, find, undo };
}

const canBeUndone = ({ resource }: FlatReceipt): boolean => isWritable(resource);

/** The write that takes a change back. */
function undoing({ action, resource, record_id, before }: FlatReceipt): object {
  const path = recordPath(resource, record_id);
  if (action === 'create') return { method: 'DELETE', path };
  const values = isWritable(resource) ? undoValues(resource, before ?? {}) : {};
  const body = bodyOf(resource, values);
  return action === 'delete'
    ? { method: 'POST', path: listPath(resource), body }
    : { method: 'PATCH', path, body };
}

export function ReceiptsView(props: ReceiptsViewProps) {
  const { found, notice, isBusy, find, undo } = useReceipts(props);
  const [initial] = useState(() => new URLSearchParams(location.search));
  useEffect(() => {
    if (props.accessKey !== '') void find(String(initial));
  }, []);
  const isBatch = found && !found.hasMore && new URLSearchParams(found.query).has('group');
  const batch = isBatch ? found.receipts.filter(canBeUndone) : [];
  return (
    <>
      {notice && <NoticeBox notice={notice} fields={[]} />}
      <SearchForm initial={initial} isBusy={isBusy} onSearch={(query) => void find(query)} />
      <p role="status">
        {found && (found.receipts.length === 0 ? 'No receipt matches.' : `${found.receipts.length} shown`)}
      </p>
      {batch.length > 1 && (
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => void undo(batch, 'The changes of the batch were undone.')}
          >
            Undo the {batch.length} changes of this batch
          </button>
        </p>
      )}
      <div class="receipts">
        {found?.receipts.map((receipt) => (
          <Receipt
            key={receipt.id}
            receipt={receipt}
            fields={fieldsOfReceipt(receipt)}
            isBusy={isBusy}
            about={<About receipt={receipt} />}
            onUndo={
              canBeUndone(receipt)
                ? () => void undo([receipt], `The change of receipt ${receipt.id} was undone.`)
                : undefined
            }
          />
        ))}
      </div>
      {found?.hasMore && (
        <p>
          <button type="button" disabled={isBusy} onClick={() => void find(found.query, found.receipts)}>
            Older receipts
          </button>
        </p>
      )}
    </>
  );
}

/** The search, which is also in the address. @param props.initial filters that the address had at first */
function SearchForm(props: { initial: URLSearchParams; isBusy: boolean; onSearch: (query: string) => void }) {
  const { initial, isBusy, onSearch } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    const query = String(filtersIn(new FormData(event.currentTarget as HTMLFormElement)));
    history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
    onSearch(query);
  };
  return (
    <form class="panel" onSubmit={submit}>
      <div class="fields search-receipts">
        <div class="field">
          <label for="search-resource">Collection</label>
          <select id="search-resource" name="resource">
            <option value="">All</option>
            {resourceNames.map((name) => (
              <option key={name} value={name} selected={initial.get('resource') === name}>
                {capitalized(nouns[name].many)}
              </option>
            ))}
          </select>
        </div>
        {searchFields.map(({ name, label, kind }) => (
          <div key={name} class="field">
            <label for={`search-${name}`}>{label}</label>
            {kind === 'date' ? (
              <input id={`search-${name}`} name={name} type="date" defaultValue={initial.get(name) ?? ''} />
            ) : (
              <input
                id={`search-${name}`}
                name={name}
                type="text"
                inputMode={kind}
                defaultValue={initial.get(name) ?? ''}
              />
            )}
          </div>
        ))}
        <button type="submit" class="primary" disabled={isBusy}>
          Search receipts
        </button>
      </div>
    </form>
  );
}

const fieldsOfReceipt = ({ resource }: FlatReceipt): Field[] =>
  isWritable(resource) ? fieldsOf(resource, true) : [];

const verbs = { create: 'was added', update: 'was changed', delete: 'was deleted' } as const;

function About({ receipt: { action, resource, record_id, group } }: { receipt: FlatReceipt }) {
  const name = `${capitalized(nouns[resource].one)} no. ${record_id}`;
  return (
    <>
      {isWritable(resource) && action !== 'delete' ? (
        <a href={editAddress(resource, record_id)}>{name}</a>
      ) : (
        name
      )}{' '}
      {verbs[action]}
      {group !== undefined && (
        <>
          {' '}
          in <a href={`/edit/receipts?group=${group}`}>batch {group}</a>
        </>
      )}
      .
    </>
  );
}
