/** @jsxRuntime automatic @jsxImportSource preact */
/** The page for unknown addresses: the frame of every page, without a program and without the record. */
import { renderToString } from 'preact-render-to-string';
import { Answers } from './answers.ts';
import { App } from './app.tsx';
import { PlaceProvider } from './navigation.ts';
import { PageContextProvider } from './page-context.ts';

export function notFoundHtml(): string {
  const context = {
    answers: new Answers(),
    // Only a program reads the record.
    reading: () => Promise.reject(new Error('the page has no record')),
    version: 0,
    origin: '',
    imageOrigins: new Set<string>(),
  };
  return renderToString(
    <PageContextProvider value={context}>
      <PlaceProvider value={{ path: '/unknown', query: '', fragment: '', visit: 0 }}>
        <App />
      </PlaceProvider>
    </PageContextProvider>,
  );
}
