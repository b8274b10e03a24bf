/** The request to the interface that gives what the page shows, ready to be copied. */
import { useState } from 'preact/hooks';

/** @param props.address of the interface, such as `/api/movies?genre=Drama` */
export function RequestShown({ address }: { address: string }) {
  const whole = location.origin + address;
  return (
    <section class="request" aria-labelledby="request">
      <h2 id="request">The same as data</h2>
      <p>Programs get exactly what this page shows from this address.</p>
      <pre>
        <code>{whole}</code>
      </pre>
      <p class="links">
        <Copy text={whole} what="Copy address" />
        <Copy text={`curl '${whole.replaceAll("'", '%27')}'`} what="Copy as curl" />
        <a href="/docs">Reference for developers</a>
      </p>
    </section>
  );
}

function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState<string>();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(text),
      () => setDone(undefined),
    );
  return (
    <button type="button" onClick={() => void copy()} data-text={text}>
      <span aria-live="polite">{done === text ? 'Copied' : what}</span>
    </button>
  );
}
