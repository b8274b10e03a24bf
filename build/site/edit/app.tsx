/** The editor's page: the key, the way to a record, and the record in its form. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type WritableResource, writableResources } from '../../../api/contract/names.ts';
import { addressOfNew, addressOfRecord, nouns, type Place, placeAt } from './addresses.ts';
import { type KeptKey, keepKey, keptKey } from './key.ts';
import { mayLeave } from './leaving.ts';
import { Picker } from './picker.tsx';
import { RecordEditor } from './record-editor.tsx';
import { type ReceiptDocument, takesWrites } from './service.ts';

export function App() {
  const { path, go } = usePath();
  const place = placeAt(path);
  const [key, setKey] = useState<KeptKey>(keptKey);
  const [created, setCreated] = useState<{ address: string; receipt: ReceiptDocument | undefined }>();
  const keyField = useRef<HTMLInputElement>(null);
  const [isWritable, setWritable] = useState(true);
  useEffect(() => void takesWrites().then(setWritable), []);
  const heading = headingOf(place);
  useEffect(() => {
    document.title = `${heading} · Film Awards`;
  }, [heading]);
  return (
    <>
      <header class="page masthead">
        <a href="/">Film Awards</a>
        <nav aria-label="Editor">
          <a href="/edit">Editor</a> <a href="/docs">Reference</a>
        </nav>
      </header>
      <main class="page editor">
        <h1>{heading}</h1>
        {!isWritable && <OnlyForReading />}
        <KeyPanel
          field={keyField}
          kept={key}
          onChange={(next) => {
            keepKey(next);
            setKey(next);
          }}
        />
        <Finder place={place} go={go} />
        {place.kind === 'nowhere' && <p role="alert">There is nothing to edit at this address.</p>}
        {(place.kind === 'record' || place.kind === 'new') && (
          <RecordEditor
            key={path}
            resource={place.resource}
            id={place.kind === 'record' ? place.id : undefined}
            accessKey={key.key}
            onWrongKey={() => keyField.current?.closest('details')?.setAttribute('open', '')}
            created={created?.address === path ? created.receipt : undefined}
            onCreated={(id, receipt) => {
              const address = addressOfRecord(place.resource, id);
              setCreated({ address, receipt });
              go(address);
            }}
          />
        )}
      </main>
    </>
  );
}

function headingOf(place: Place): string {
  if (place.kind === 'new') return `New ${nouns[place.resource].one}`;
  if (place.kind === 'record') return `Edit ${nouns[place.resource].one} no. ${place.id}`;
  return 'Edit the record';
}

/** The address of the page, and what leads to another one; back and forward lead there, too. */
function usePath(): { path: string; go: (address: string) => void } {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => {
      if (mayLeave()) setPath(location.pathname);
      else history.pushState(null, '', path);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [path]);
  const go = (address: string) => {
    if (!mayLeave()) return;
    history.pushState(null, '', address);
    setPath(location.pathname);
  };
  return { path, go };
}

function OnlyForReading() {
  return (
    <div class="notice" role="status">
      <h2>Here the record can only be read</h2>
      <p>
        This is a copy of the record on a host that takes no changes. You can look at everything; to correct
        something, ask whoever runs this site.
      </p>
    </div>
  );
}

interface KeyPanelProps {
  field: { current: HTMLInputElement | null };
  kept: KeptKey;
  onChange: (kept: KeptKey) => void;
}

function KeyPanel({ field, kept, onChange }: KeyPanelProps) {
  const id = useId();
  // Where it begins; from then on the editor opens and closes it.
  const [isOpen] = useState(kept.key === '');
  return (
    <details class="panel" open={isOpen}>
      <summary>{kept.key === '' ? 'Your key is needed to save' : 'Your key'}</summary>
      <div class="field">
        <label for={id}>Key for writing</label>
        <p class="hint" id={`${id}-hint`}>
          Whoever runs the service makes it with “awards keys create”. It is sent only with what you save.
        </p>
        <input
          ref={field}
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          value={kept.key}
          onInput={(event) => onChange({ ...kept, key: event.currentTarget.value.trim() })}
        />
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={kept.isKept}
          onChange={(event) => onChange({ ...kept, isKept: event.currentTarget.checked })}
        />{' '}
        Keep it until this tab is closed
      </label>
    </details>
  );
}

function Finder({ place, go }: { place: Place; go: (address: string) => void }) {
  const chosen = place.kind === 'record' || place.kind === 'new' ? place.resource : 'movies';
  const [resource, setResource] = useState<WritableResource>(chosen);
  const id = useId();
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
              {nouns[name].many}
            </option>
          ))}
        </select>
      </div>
      <div class="field wide">
        <label for={`${id}-words`}>Find it by name or number</label>
        <Picker
          id={`${id}-words`}
          resource={resource}
          shown=""
          placeholder="Type to search"
          onPick={(candidate) => go(addressOfRecord(resource, candidate.id))}
        />
      </div>
      <a
        class="button"
        href={addressOfNew(resource)}
        onClick={(event) => {
          event.preventDefault();
          go(addressOfNew(resource));
        }}
      >
        New {nouns[resource].one}
      </a>
    </search>
  );
}
