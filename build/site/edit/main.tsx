/** The editor: its bar with the search and the key, and the view of the address. */
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { sampleNotice } from '../../../api/contract/sample.ts';
import { startSearch } from '../explorer/search-field.ts';
import { Account } from './account.tsx';
import { storedKey, storeKey } from './drafts.ts';
import { Finder } from './finder.tsx';
import { editHref } from './naming.ts';
import { hasSample, takesWrites } from './service-state.ts';
import { startShortcuts } from './shortcuts.ts';
import { View } from './view.tsx';
import './edit.css';

const accountId = 'account';

function App({ isWritable, isSample }: { isWritable: boolean; isSample: boolean }) {
  const [key, setKey] = useState(storedKey);
  // At once: an effect after the next frame would lose a key that is typed just before another page opens.
  useLayoutEffect(() => storeKey(key), [key]);
  const access = { key, onWrongKey: () => document.getElementById(accountId)?.setAttribute('open', '') };
  return (
    <>
      {isSample && (
        <aside class="sample soft" aria-label="About this record">
          {sampleNotice}
        </aside>
      )}
      <nav class="editor-bar" aria-label="Editor">
        <a href="/edit" aria-current={location.pathname === '/edit' ? 'page' : undefined}>
          Desk
        </a>
        <a href="/edit/receipts" aria-current={location.pathname === '/edit/receipts' ? 'page' : undefined}>
          Receipts
        </a>
        <Finder
          id="finder"
          label="Find a record to edit, by name or number"
          placeholder="Find a record to edit"
          onChoose={({ resource, id }) => {
            location.href = editHref(resource, id);
          }}
        />
        {isWritable && <Account id={accountId} value={key} onChange={setKey} />}
      </nav>
      <main id="content" tabIndex={-1}>
        {!isWritable && (
          <p class="notice">This copy of the record is read-only: its operator can correct it.</p>
        )}
        <View access={access} />
      </main>
    </>
  );
}

/** Before unsaved changes are lost, the browser asks. */
addEventListener('beforeunload', (event) => {
  if (document.querySelector('form.unsaved')) event.preventDefault();
});
startShortcuts();
startSearch();

/** Read before the page is shown: a notice that comes later would move it. */
const [isWritable, isSample] = await Promise.all([takesWrites(), hasSample()]);
render(<App isWritable={isWritable} isSample={isSample} />, document.getElementById('app')!);
