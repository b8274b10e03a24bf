/** The program of the editor's page. */
import { render } from 'preact';
import { keepForOffline } from '../shared/offline.ts';
import { App } from './app.tsx';
import './edit.css';

render(<App />, document.getElementById('app')!);
keepForOffline();
