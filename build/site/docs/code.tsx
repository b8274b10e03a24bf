/** @jsxRuntime automatic @jsxImportSource preact */
/** Blocks of code with coloured parts. */
import type { ComponentChildren } from 'preact';
import { exampleOrigin } from './samples.ts';

/** Strings, then comments, numbers and words; the origin of the service is a part of its own, which the page replaces. */
const parts =
  /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>\b(?:const|await|import|from|true|false|null|True|False|None|curl)\b)/g;

function coloured(code: string): ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const match of code.matchAll(parts)) {
    const [text] = match;
    shown.push(withOrigin(code.slice(end, match.index)));
    end = match.index + text.length;
    const isName = match.groups!.string !== undefined && /^\s*:\s/.test(code.slice(end, end + 3));
    const kind = isName ? 'n' : match.groups!.string !== undefined ? 's' : 'v';
    shown.push(<b class={kind}>{withOrigin(text)}</b>);
  }
  return [...shown, withOrigin(code.slice(end))];
}

function withOrigin(text: string): ComponentChildren {
  const [before, ...after] = text.split(exampleOrigin);
  return after.length === 0
    ? text
    : [before, <span class="origin">{exampleOrigin}</span>, after.join(exampleOrigin)];
}

/** Code with a button that copies it. @param label name of the block for screen readers */
export function Code({ code, label }: { code: string; label: string }) {
  return (
    <div class="code">
      <button type="button" class="copy scripted" aria-label={`Copy: ${label}`}>
        Copy
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{coloured(code)}</code>
      </pre>
    </div>
  );
}
