/** The editor: its key, the search for a record, and the view of the address. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { writableResources } from '../../../api/contract/names.ts';
import { listPath } from '../../../api/contract/routes.ts';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { type Manifest, manifestPath } from '../../../api/contract/snapshot.ts';
import { joined, nouns } from '../shared/format.ts';
import { type Access, Heading, useLatest } from './controls.tsx';
import { Night } from './night.tsx';
import { Receipts } from './receipts.tsx';
import { RecordForm } from './record-form.tsx';
import { candidates, exactFirst } from './service.ts';
import '../shared/style.css';
import './edit.css';

const keyName = 'film-awards-key';

/** The key of this tab. A browser can refuse its storage: then the key is kept until the page is left. */
function storedKey(key?: string): string {
  try {
    if (key !== undefined) sessionStorage.setItem(keyName, key);
    return sessionStorage.getItem(keyName) ?? '';
  } catch {
    return '';
  }
}

function App({ isWritable, isSample }: { isWritable: boolean; isSample: boolean }) {
  const [key, setKey] = useState(() => storedKey());
  // At once: an effect after the next frame would lose a key that is typed just before another page opens.
  useLayoutEffect(() => void storedKey(key), [key]);
  // Only at first: then the editor opens and closes it.
  const [isOpen] = useState(key === '');
  const panel = useRef<HTMLDetailsElement>(null);
  const access = { key, onWrongKey: () => panel.current?.setAttribute('open', '') };
  return (
    <>
      {isSample && (
        <aside class="page" aria-label="About this record">
          <p>{sampleNotice}</p>
        </aside>
      )}
      <nav class="page" aria-label="Editor">
        <p>
          <a href="/">Film Awards</a> <a href="/edit">Editor</a> <a href="/edit/receipts">Receipts</a>{' '}
          <a href="/docs">Reference</a>
        </p>
      </nav>
      <main class="page">
        {isWritable ? (
          <details ref={panel} open={isOpen}>
            <summary>{key === '' ? 'Your key is needed to save' : 'Your key'}</summary>
            <label for="key">
              Key for writing: “awards keys create” makes it. Kept until this tab is closed.
            </label>
            <input
              id="key"
              type="password"
              autocomplete="off"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value.trim())}
            />{' '}
            <button type="button" onClick={() => setKey('')}>
              Forget the key
            </button>
          </details>
        ) : (
          <p class="notice">This copy of the record is read-only: its operator can correct it.</p>
        )}
        <Finder />
        <View access={access} />
      </main>
    </>
  );
}

/** The view of the address, which the service has matched. */
function View({ access }: { access: Access }) {
  const [, , name, last, part, category] = location.pathname.split('/');
  const resource = writableResources.find((known) => known === name);
  const id = Number(last) || undefined;
  if (name === 'receipts') return <Receipts access={access} />;
  if (!resource) return <Heading text="Edit the record" />;
  if (!part) return <RecordForm resource={resource} id={id} access={access} />;
  return <Night ceremony={id!} category={Number(category) || undefined} access={access} />;
}

/** A search for records of all collections. Enter leads to the first. */
function Finder() {
  const [words, setWords] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const onInput = () => setWords(input.current!.value);
  // One or two letters are in nearly all names: the first records with them are enough.
  const pages = words.trim().length < 3 ? 3 : undefined;
  const search = () => Promise.all(writableResources.map((name) => candidates(name, words, pages)));
  const found = (useLatest(words, search) ?? []).flat().sort(exactFirst).slice(0, 10);
  const options = found.map((one) => ({ ...one, address: `/edit/${one.resource}/${one.id}` }));
  const onSubmit = (event: Event) => {
    // Without a hit, the browser would load this page again.
    if (!options[0]) event.preventDefault();
  };
  return (
    <search>
      <form action={options[0]?.address} onSubmit={onSubmit}>
        <label for="finder">Find a record by name or number</label>
        <input ref={input} id="finder" autocomplete="off" value={words} onInput={onInput} />
      </form>
      <ul>
        {options.map(({ address, label, note, resource, id }) => (
          <li key={address}>
            <a href={address}>{label}</a> <small>{joined(nouns[resource].one, note, `no. ${id}`)}</small>
          </li>
        ))}
      </ul>
      <p>
        New:{' '}
        {writableResources.map((name) => (
          <a key={name} href={`/edit/${name}/new`}>
            {nouns[name].one}
          </a>
        ))}
      </p>
    </search>
  );
}

/** Ctrl+S saves. Ctrl+K leads to the search, as does "/" where it is no text; on a Mac with Command. */
addEventListener('keydown', (event) => {
  const isTyping = document.activeElement?.matches('input:not([type=checkbox]), textarea, select');
  const key = (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + event.key.toLowerCase();
  const isSearch = key === 'Ctrl+k' || (key === '/' && !isTyping);
  if (event.altKey || !(isSearch || key === 'Ctrl+s')) return;
  event.preventDefault();
  if (isSearch) document.getElementById('finder')?.focus();
  else document.querySelector<HTMLFormElement>('form[method=post]')?.requestSubmit();
});
/** Before unsaved changes are lost, the browser asks. */
addEventListener('beforeunload', (event) => {
  if (document.querySelector('form.unsaved')) event.preventDefault();
});

/** Whether the service takes writes; true if it does not say so in two seconds. */
const options = { method: 'OPTIONS', signal: AbortSignal.timeout(2000) };
const response = await fetch(listPath('movies'), options).catch(() => undefined);
const isWritable = response?.headers.get('Allow')?.includes('POST') ?? true;
/** Read before the page is shown: a notice that comes later would move it. */
const manifest = await fetch(`/${manifestPath}`)
  .then((found) => found.json() as Promise<Manifest>)
  .catch(() => undefined);
render(<App isWritable={isWritable} isSample={manifest?.sample === true} />, document.getElementById('app')!);
