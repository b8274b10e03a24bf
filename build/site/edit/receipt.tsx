/** What a write did: who, when, what stood there before and after, which files were written again and why; and the way back. */
import { type Field, isSame, shown } from './fields.ts';
import type { ReceiptDocument } from './service.ts';

interface ReceiptProps {
  receipt: ReceiptDocument;
  fields: readonly Field[];
  isBusy: boolean;
  /** Takes the write back; undefined where that cannot be done. */
  onUndo: (() => void) | undefined;
}

export function Receipt({ receipt, fields, isBusy, onUndo }: ReceiptProps) {
  const { id, at, key, before, after, files } = receipt;
  const changed = fields.filter(
    ({ name }) => name in after && !isSame(before?.[name] ?? null, after[name] ?? null),
  );
  return (
    <section class="receipt" aria-labelledby="receipt-title">
      <h2 id="receipt-title">Receipt {id}</h2>
      <p>
        Written with the key “{key}” on <time dateTime={at}>{new Date(at).toLocaleString()}</time>.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen */}
      <section class="scrolling" aria-label="What changed" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ name, label }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{shown(before?.[name])}</td>
                <td>{shown(after[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {onUndo && (
        <button type="button" onClick={onUndo} disabled={isBusy}>
          Undo this change
        </button>
      )}
      <Files files={files} />
    </section>
  );
}

function Files({ files }: Pick<ReceiptDocument, 'files'>) {
  if (files === null) return <p>Its files are still being written; everyone sees the change already.</p>;
  return (
    <details>
      <summary>{files.length === 1 ? '1 file was' : `${files.length} files were`} rewritten</summary>
      <ul class="files">
        {files.map(({ path, action, cause }) => (
          <li key={path}>
            <code>{path}</code> {action === 'removed' ? 'removed' : ''} <small>{cause}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
