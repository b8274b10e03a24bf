/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of the downloads. */
import type { DownloadIndex } from '../../../../api/contract/answers.ts';
import { downloadIndexPath, downloadsFolder } from '../../../../api/contract/layers.ts';
import { count, size } from '../../shared/format.ts';
import { Heading, type Page, Section, type Visit } from '../parts.tsx';
import { groupBy } from '../record.ts';

const formatTitles = { ndjson: 'NDJSON', csv: 'CSV', parquet: 'Parquet', sqlite: 'SQLite' } as const;

/** The files of the whole record, with their sizes and hashes. */
export async function downloadsPage(visit: Visit): Promise<Page> {
  const bytes = await visit.file(downloadIndexPath);
  const { files } = bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as DownloadIndex) : { files: [] };
  const body = (
    <>
      <Heading title="Downloads" />
      <p>{visit.isSample ? 'The sample' : 'The whole record'} as files: the same data as on these pages.</p>
      <p class="offline" hidden>
        <button type="button" class="keep-offline">
          Keep the record in this browser
        </button>{' '}
        All pages then work without a network.
      </p>
      {files.length === 0 && <p>This site offers no downloads.</p>}
      {groupBy(files, ({ format }) => format).map(([format, own]) => (
        <Section key={format} id={format} title={formatTitles[format]}>
          <p>{own[0]!.description}</p>
          <ul class="rows">
            {own.map((file) => (
              <li key={file.name}>
                <a href={`/${downloadsFolder}/${file.name}`} download>
                  {file.name}
                </a>
                <span class="numbers">
                  {size(file.bytes)}, {count(file.rows, 'record')}
                </span>
                <code class="soft">SHA-256 {file.sha256}</code>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
  return {
    title: 'Downloads',
    description: 'The whole record of the film awards as files: CSV, NDJSON, Parquet and SQLite.',
    body,
    isOfFiles: true,
  };
}
