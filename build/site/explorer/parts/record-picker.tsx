/** @jsxRuntime automatic @jsxImportSource preact */
/** A search for a film or a person; each hit is a link. */
import { useId, useState } from 'preact/hooks';
import { nouns } from '../../shared/format.ts';
import { useLatest } from '../../shared/hooks.ts';
import { type Compared, viewOf } from '../addresses.ts';
import { usePageContext } from '../page-context.ts';
import { finder, prepareSearch } from '../search/search.ts';
import { isSearch } from '../search/words.ts';
import { Rows } from './lists.tsx';

/** @param props.without ids that are not offered @param props.hrefOf where a hit leads */
export function RecordPicker(props: {
  resource: Compared;
  label: string;
  without: readonly number[];
  hrefOf: (id: number) => string;
}) {
  const { resource, label, without, hrefOf } = props;
  const id = useId();
  const [typed, setTyped] = useState('');
  const { reading } = usePageContext();
  const found = useLatest(typed, async () =>
    isSearch(typed) ? (await finder()).findRecords(await reading(), typed) : undefined,
  );
  const hits = found?.value?.groups.flatMap((group) => group.hits) ?? [];
  const rows = hits.flatMap(({ href, ...hit }) => {
    const view = viewOf(href);
    const isOffered = view.kind === 'record' && view.resource === resource && !without.includes(view.id);
    return isOffered ? [{ ...hit, href: hrefOf(view.id) }] : [];
  });
  const isEmpty = isSearch(typed) && found?.key === typed && rows.length === 0;
  return (
    <div class="picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        placeholder={resource === 'movies' ? 'Title of a film' : 'Name'}
        value={typed}
        onFocus={() => void prepareSearch(reading).catch(() => {})}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div aria-live="polite">
        {found?.error !== undefined && <p class="hint">The record cannot be read at the moment.</p>}
        {isEmpty && <p class="hint">No {nouns[resource].one} has a name like this.</p>}
        {rows.length > 0 && <Rows rows={rows} />}
      </div>
    </div>
  );
}
