/** The program of the explorer's page. */
import './styles/frame.css';
import './styles/search.css';
import './styles/prose.css';
import './styles/home.css';
import './styles/records.css';
import './styles/tables.css';
import './styles/lists.css';
import './styles/forms.css';
import { render } from 'preact';
import { keepForOffline } from '../shared/offline.ts';
import { App } from './app.tsx';
import { warmAtFirstSign } from './first-sign.ts';
import { startNavigation } from './navigation.ts';

startNavigation();
render(<App />, document.getElementById('app')!);
warmAtFirstSign();
keepForOffline();
