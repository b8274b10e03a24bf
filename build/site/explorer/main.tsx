/** The program of the explorer's page. */
import { render } from 'preact';
import { keepForOffline } from '../shared/offline.ts';

function Explorer() {
  return (
    <main class="page">
      <h1>Film awards</h1>
      <p>
        A century of film awards. The record is at <code>/api</code>.
      </p>
    </main>
  );
}

render(<Explorer />, document.getElementById('app')!);
keepForOffline();
