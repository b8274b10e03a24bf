/** The tools search and fetch, in the shapes that connectors of assistants ask for. */
import { resourceNames } from '../contract/names.ts';
import { recordPath } from '../contract/routes.ts';
import { recordHref } from '../../build/site/explorer/addresses.ts';
import { findRecords } from '../../build/site/explorer/search.ts';
import { CallFault } from './arguments.ts';
import { type Context, read, type Row, type ToolAnswer } from './reading.ts';

const idPattern = new RegExp(`(?:^|/)(${resourceNames.join('|')})/([1-9]\\d{0,15})(?!\\d)`);

/**
 * The records that words name.
 * @param nominationsAt reads the nominations that are meant, from an address of the API
 */
export async function found(
  context: Context,
  query: string,
  nominationsAt: (address: string) => Promise<{ page: string; data: readonly Row[] }>,
): Promise<ToolAnswer> {
  const finding = await context.record.answered((snapshot) => findRecords(snapshot, query));
  const results = finding.groups
    .flatMap(({ title, hits }) => hits.map((hit) => ({ ...hit, kind: title })))
    .flatMap(({ href, label, detail, kind }) => {
      const [, resource, id] = idPattern.exec(href) ?? [];
      if (resource === undefined) return [];
      const url = context.origin + href;
      return [
        { id: `${resource}/${id}`, title: label, url, text: [kind, detail].filter(Boolean).join(', ') },
      ];
    });
  const meant = finding.nominations === '' ? undefined : await nominationsAt(finding.nominations);
  const structured = {
    results,
    ...(finding.isNear && { near: true }),
    ...(finding.note !== undefined && { note: finding.note }),
    ...(meant && { page: meant.page, nominations: meant.data }),
  };
  return { lines: [], structured, text: JSON.stringify(structured) };
}

/** One record as text. @param id as a result of search has it, or an address of the record */
export async function oneRecord(context: Context, id: string | undefined): Promise<ToolAnswer> {
  const [, resource, number] = idPattern.exec(id ?? '') ?? [];
  const name = resourceNames.find((own) => own === resource);
  if (!name || number === undefined)
    throw new CallFault('id must be one that search gives, such as movies/3669');
  const record = await read<Row>(context, recordPath(name, Number(number)));
  const title = String(
    record.title ??
      record.name ??
      record.original_title ??
      record.category_name ??
      record.category ??
      `Ceremony of ${record.ceremony_year}`,
  );
  const url = context.origin + recordHref(name, Number(number), (record.ceremony_year as number) ?? title);
  const structured = {
    id: `${name}/${number}`,
    title,
    text: textOf(title, record),
    url,
    metadata: { kind: name },
  };
  return { lines: [], structured, text: JSON.stringify(structured) };
}

/** A record in lines, each nomination in one. */
function textOf(
  title: string,
  { nominations = [], ...members }: Row & { nominations?: readonly Row[] },
): string {
  const known = Object.entries(members).filter(
    ([, value]) =>
      value !== null && (typeof value !== 'object' || Array.isArray(value)) && String(value) !== '',
  );
  return [
    title,
    ...known.map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`),
    ...nominations.map(
      (own) =>
        `${own.ceremony_year} ${own.category}: ${own.nominee}, ${own.movie}${own.song_title ? `, "${own.song_title}"` : ''} (${own.winner ? 'won' : 'nominated'})`,
    ),
  ].join('\n');
}
