/** The editor: the key, the search for a record, and the form of the record. */
import { render } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type WritableResource, writableResources } from '../../../api/contract/names.ts';
import { capitalized, nouns } from '../shared/format.ts';
import { showSampleNotice } from '../shared/sample-notice.ts';
import { onSearchKey } from '../shared/search-key.ts';
import { storedKey, storeKey } from '../shared/key.ts';
import { enableOffline } from '../shared/offline.ts';
import { editAddress, historyAddress, type Place, placeAt, usePath, winnersAddress } from './navigation.ts';
import { Picker } from './picker.tsx';
import { ReceiptsView } from './receipts-view.tsx';
import { RecordEditor } from './record-editor.tsx';
import { type FlatReceipt, takesWrites } from './service.ts';
import { WinnersEditor } from './winners-editor.tsx';
import './edit.css';

/** @param isWritable whether the service takes writes */
function App({ isWritable }: { isWritable: boolean }) {
  const { path, go } = usePath();
  const place = placeAt(path);
  const keyState = useKey();
  const [created, setCreated] = useState<{ address: string; receipt: FlatReceipt | undefined }>();
  const keyPanel = useRef<HTMLDetailsElement>(null);
  const openKeyPanel = () => keyPanel.current?.setAttribute('open', '');
  const [name, setName] = useState<string>();
  const heading = headingOf(place, name);
  useEffect(() => {
    document.title = `${heading} · Film Awards`;
  }, [heading]);
  return (
    <>
      <header class="page masthead">
        <a href="/">Film Awards</a>
        <nav aria-label="Editor">
          <a href="/edit">Editor</a> <a href="/edit/receipts">Receipts</a> <a href="/docs">Reference</a>
        </nav>
      </header>
      <main class="page editor">
        <h1>{heading}</h1>
        <PlaceLinks place={place} isNamed={name !== undefined} />
        {isWritable ? <KeyPanel panel={keyPanel} state={keyState} /> : <ReadOnlyNotice />}
        <Finder place={place} go={go} />
        {place.kind === 'unknown' && <p role="alert">There is nothing to edit at this address.</p>}
        {place.kind === 'receipts' && <ReceiptsView accessKey={keyState.key} onWrongKey={openKeyPanel} />}
        {place.kind === 'winners' && (
          <WinnersEditor key={path} ceremony={place.id} accessKey={keyState.key} onWrongKey={openKeyPanel} />
        )}
        {place.kind === 'record' && (
          <RecordEditor
            key={path}
            resource={place.resource}
            id={place.id}
            accessKey={keyState.key}
            onWrongKey={openKeyPanel}
            created={created?.address === path ? created.receipt : undefined}
            onName={setName}
            onCreated={(id, receipt) => {
              const address = editAddress(place.resource, id);
              setCreated({ address, receipt });
              go(address);
            }}
            onDeleted={() => place.id !== undefined && go(historyAddress(place.resource, place.id))}
          />
        )}
      </main>
    </>
  );
}

/** Links to other pages of the same record. */
function PlaceLinks({ place, isNamed }: { place: Place; isNamed: boolean }) {
  if (place.kind === 'winners')
    return (
      <p>
        <a href={`/ceremonies/${place.id}`}>Public page</a>
        {' · '}
        <a href={editAddress('ceremonies', place.id)}>Other fields</a>
      </p>
    );
  if (place.kind !== 'record' || place.id === undefined) return null;
  return (
    <p>
      {isNamed && `${capitalized(nouns[place.resource].one)} no. ${place.id} · `}
      <a href={`/${place.resource}/${place.id}`}>Public page</a>
      {' · '}
      <a href={historyAddress(place.resource, place.id)}>History</a>
      {place.resource === 'ceremonies' && (
        <>
          {' · '}
          <a href={winnersAddress(place.id)}>Winners of the night</a>
        </>
      )}
    </p>
  );
}

/** @param name of the record that was shown last */
function headingOf(place: Place, name: string | undefined): string {
  if (place.kind === 'receipts') return 'Receipts';
  if (place.kind === 'winners') return `Winners of ceremony no. ${place.id}`;
  if (place.kind !== 'record') return 'Edit the record';
  const { one } = nouns[place.resource];
  if (place.id === undefined) return `New ${one}`;
  return name === undefined ? `Edit ${one} no. ${place.id}` : `Edit ${name}`;
}

function ReadOnlyNotice() {
  return (
    <div class="notice">
      <h2>This copy of the record is read-only</h2>
      <p>
        The host of this copy takes no changes. You can look at everything; to correct something, ask the
        operator of this site.
      </p>
    </div>
  );
}

/** The key for writing, in the storage of this tab, or in memory where the editor wishes. */
function useKey() {
  const [key, setKey] = useState(() => storedKey() ?? '');
  const [isStored, setStored] = useState(true);
  useLayoutEffect(() => storeKey(isStored ? key : ''), [key, isStored]);
  return { key, setKey, isStored, setStored };
}

interface KeyPanelProps {
  panel: { current: HTMLDetailsElement | null };
  state: ReturnType<typeof useKey>;
}

function KeyPanel({ panel, state: { key, setKey, isStored, setStored } }: KeyPanelProps) {
  const id = useId();
  // Only the initial state; then the editor opens and closes it.
  const [isOpen] = useState(key === '');
  return (
    <details ref={panel} class="panel" open={isOpen}>
      <summary>{key === '' ? 'Your key is needed to save' : 'Your key'}</summary>
      <div class="field">
        <label for={id}>Key for writing</label>
        <p class="hint" id={`${id}-hint`}>
          The operator of the service makes it with “awards keys create”. It is sent only when you save and
          when you read receipts.
        </p>
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value.trim())}
        />
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />{' '}
        Keep it until this tab is closed
      </label>
    </details>
  );
}

function Finder({ place, go }: { place: Place; go: (address: string) => void }) {
  const [resource, setResource] = useState(place.kind === 'record' ? place.resource : 'movies');
  const id = useId();
  useEffect(() => onSearchKey(() => document.getElementById(`${id}-words`)?.focus()), [id]);
  const newAddress = editAddress(resource, 'new');
  return (
    <search class="finder">
      <div class="field">
        <label for={`${id}-kind`}>What to edit</label>
        <select
          id={`${id}-kind`}
          value={resource}
          onChange={(event) => setResource(event.currentTarget.value as WritableResource)}
        >
          {writableResources.map((name) => (
            <option key={name} value={name}>
              {capitalized(nouns[name].many)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-words`}>Find it by name or number</label>
        <p class="hint keys" id={`${id}-hint`}>
          Ctrl+K leads here.
        </p>
        <Picker
          id={`${id}-words`}
          describedBy={`${id}-hint`}
          resource={resource}
          shown=""
          onPick={(candidate) => go(editAddress(resource, candidate.id))}
        />
      </div>
      <a
        class="button"
        href={newAddress}
        onClick={(event) => {
          event.preventDefault();
          go(newAddress);
        }}
      >
        New {nouns[resource].one}
      </a>
    </search>
  );
}

enableOffline();
// A notice that comes later would move the page.
await showSampleNotice();
render(<App isWritable={await takesWrites()} />, document.getElementById('app')!);
