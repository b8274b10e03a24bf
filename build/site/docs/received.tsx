/** The answer to a request that the reader sent. */
import { mostCharacters, type Received } from './requests.ts';

/** JSON with a member on each line; any other text as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

export function ReceivedView({ received: { headers, text } }: { received: Received }) {
  const shown = readable(text);
  return (
    <>
      <details>
        <summary>Headers ({headers.length})</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {shown !== '' && (
        <div class="code">
          <button type="button" class="copy" aria-label="Copy: the answer">
            Copy
          </button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            <code>{shown.slice(0, mostCharacters)}</code>
          </pre>
        </div>
      )}
      {shown.length > mostCharacters && (
        <p class="hint">
          The first {mostCharacters} characters of {shown.length}.
        </p>
      )}
    </>
  );
}
