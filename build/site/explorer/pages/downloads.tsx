/** @jsxRuntime automatic @jsxImportSource preact */
/** The downloads of the whole record, with their sizes and hashes. */
import type { DownloadIndex } from '../../../../api/contract/answers.ts';
import { downloadIndexPath, downloadsFolder } from '../../../../api/contract/layers.ts';
import { count, size } from '../../shared/format.ts';
import { groupBy } from '../counts.ts';
import { Heading, Section, Shown, useAnswer, useIsSample } from '../parts/page.tsx';
import type { Reading } from '../record.ts';

const formatTitles = { ndjson: 'NDJSON', csv: 'CSV', sqlite: 'SQLite' } as const;

async function loadDownloads({ file }: Reading): Promise<Pick<DownloadIndex, 'files'>> {
  const bytes = await file(downloadIndexPath);
  if (bytes === undefined) return { files: [] };
  return JSON.parse(new TextDecoder().decode(bytes)) as DownloadIndex;
}

export function DownloadsPage() {
  const answer = useAnswer('downloads', loadDownloads);
  return (
    <>
      <Heading title="Downloads" />
      <p>
        {useIsSample() ? 'The sample' : 'The whole record'}, to take with you: the same nominations, films,
        people and songs as on these pages.
      </p>
      <Shown answer={answer}>
        {({ files }) =>
          files.length === 0 ? (
            <p class="downloads">This site offers no downloads.</p>
          ) : (
            groupBy(files, ({ format }) => format).map(([format, own]) => (
              <Section key={format} id={format} title={formatTitles[format]}>
                <p>{own[0]!.description}</p>
                <ul class="downloads">
                  {own.map((file) => (
                    <li key={file.name}>
                      <a href={`/${downloadsFolder}/${file.name}`} download>
                        {file.name}
                      </a>
                      <span class="numbers">
                        {size(file.bytes)}, {count(file.rows, 'record')}
                      </span>
                      <code>SHA-256 {file.sha256}</code>
                    </li>
                  ))}
                </ul>
              </Section>
            ))
          )
        }
      </Shown>
    </>
  );
}
