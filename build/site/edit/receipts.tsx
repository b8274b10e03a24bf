/** The receipts in words: searched by record, key and time, page by page. */
import { useEffect, useState } from 'preact/hooks';
import { resourceNames } from '../../../api/contract/names.ts';
import { capitalized, nouns } from '../shared/format.ts';
import { ReceiptList } from './receipt-list.tsx';
import { findReceipts, type Receipt } from './requests.ts';
import { type Access, Heading, NoticeBox, useWork } from './work.tsx';

const filters = { record_id: 'Record number', key: 'Name of the key', since: 'First day', until: 'Last day' };
const typeOf = (name: string): object => ({ type: name === 'since' || name === 'until' ? 'date' : 'text' });

export function Receipts({ access }: { access: Access }) {
  const [found, setFound] = useState<{ receipts: Receipt[]; hasMore: boolean }>();
  const working = useWork(access);
  const query = new URLSearchParams(location.search);
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  const read = async () => void setFound(await findReceipts(`limit=25&${query}`, access.key));
  useEffect(() => {
    const show = async () => {
      await read();
      return undefined;
    };
    if (access.key !== '') void working.work(show);
  }, [access.key]);
  const older = new URLSearchParams(query);
  older.set('before', String(found?.receipts.at(-1)?.id));
  return (
    <>
      <Heading text="Receipts" />
      <form class="receipt-filters" action="/edit/receipts">
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
      <NoticeBox working={working} show={read} />
      {access.key === '' && <p class="empty">Sign in with your key: receipts name editors.</p>}
      {access.key !== '' && !found && !working.notice && <p class="empty">Reading the receipts …</p>}
      {found?.receipts.length === 0 && <p class="empty">No receipt matches.</p>}
      {found && <ReceiptList Title="h2" receipts={found.receipts} access={access} onChange={read} />}
      {found?.hasMore && <a href={`?${older}`}>Older receipts</a>}
    </>
  );
}
