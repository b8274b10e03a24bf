/** The editor: its key, the search for a record, and the view of the address. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { writableResources } from '../../../api/contract/names.ts';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { type Access, Heading } from './controls.tsx';
import { Finder } from './finder.tsx';
import { Night } from './night.tsx';
import { Receipts } from './receipts.tsx';
import { RecordForm } from './record-form.tsx';
import { hasSample, takesWrites } from './service-state.ts';
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

/** Read before the page is shown: a notice that comes later would move it. */
const [isWritable, isSample] = await Promise.all([takesWrites(), hasSample()]);
render(<App isWritable={isWritable} isSample={isSample} />, document.getElementById('app')!);
