/** The receipts in words: searched by record, key and time, page by page; a batch as one. */
import { useEffect, useState } from 'preact/hooks';
import { resourceNames } from '../../../api/contract/names.ts';
import { capitalized, nouns } from '../shared/format.ts';
import * as controls from './controls.tsx';
import { findReceipts, type Receipt } from './service.ts';

const filters = { record_id: 'Record number', key: 'Name of the key', since: 'First day', until: 'Last day' };
const typeOf = (name: string): object => ({ type: name === 'since' || name === 'until' ? 'date' : 'text' });

export function Receipts({ access }: { access: controls.Access }) {
  const [found, setFound] = useState<{ receipts: Receipt[]; hasMore: boolean }>();
  const working = controls.useWork(access);
  const query = new URLSearchParams(location.search);
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  const read = async () => void setFound(await findReceipts(`limit=25&${query}`, access.key));
  useEffect(() => {
    if (access.key !== '') void working.work(read);
  }, []);
  /** The changes of a batch are undone together, also those of another page. */
  const undoBatch = async (own: readonly Receipt[]) => {
    const { group } = own[0]!;
    const all = group === undefined ? own : (await findReceipts(`group=${group}`, access.key)).receipts;
    await working.undo(all, read);
  };
  const batches = new Map<number, Receipt[]>();
  for (const one of found?.receipts ?? []) {
    const batch = one.group ?? one.id;
    batches.set(batch, [...(batches.get(batch) ?? []), one]);
  }
  const older = new URLSearchParams(query);
  older.set('before', String(found?.receipts.at(-1)?.id));
  return (
    <>
      <controls.Heading text="Receipts" />
      <form class="fields" action="/edit/receipts">
        <label>
          Collection
          <select name="resource">
            <option value="">All</option>
            {resourceNames.map((name) => (
              <option key={name} value={name} selected={query.get('resource') === name}>
                {capitalized(nouns[name].many)}
              </option>
            ))}
          </select>
        </label>
        {Object.entries(filters).map(([name, label]) => (
          <label key={name}>
            {label}
            <input name={name} defaultValue={query.get(name) ?? ''} {...typeOf(name)} />
          </label>
        ))}
        <button type="submit">Search</button>
      </form>
      <controls.NoticeBox working={working} show={read} />
      {found?.receipts.length === 0 && <p>No receipt matches.</p>}
      {[...batches].map(([id, own]) => (
        <div key={id} class="receipt">
          <h2>{`${own[0]!.key}, ${new Date(own[0]!.at).toLocaleString()}`}</h2>
          <controls.Changes receipts={own} onUndo={() => void undoBatch(own)} />
        </div>
      ))}
      {found?.hasMore && <a href={`?${older}`}>Older receipts</a>}
    </>
  );
}
