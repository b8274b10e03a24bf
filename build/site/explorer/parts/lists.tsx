/** @jsxRuntime automatic @jsxImportSource preact */
/** Lists: rows of records, bars of a ranking, links to decades, the pager, and the request to the API with the same answer. */
import { useState } from 'preact/hooks';
import { routes, searchPath } from '../../../../api/contract/routes.ts';
import type { Pagination } from '../../../../api/contract/answers.ts';
import { count, number } from '../../shared/format.ts';
import { type RankedResource, recordHref, withQuery } from '../addresses.ts';
import type { Ranked, RankedBy } from '../counts.ts';
import { usePageContext, usePlace } from '../page-context.ts';

/** The row of headings of a table. */
export const TableHead = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((text) => (
        <th key={text} scope="col">
          {text}
        </th>
      ))}
    </tr>
  </thead>
);

export interface Row {
  href: string;
  label: string;
  detail: string;
  /** The end of the row, such as nominations and wins in words; the second part has the colour of winners. */
  numbers?: readonly [string, string];
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="rows">
      {rows.map(({ href, label, detail, numbers }) => (
        <li key={href} class={numbers && 'counted'}>
          <a href={href} dir="auto">
            {label}
          </a>
          <span class="detail">{detail}</span>
          {numbers && (
            <span class="numbers">
              {numbers[0]}
              {numbers[1] && <span class="won">{numbers[1]}</span>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Nominations, and the wins among them. Attributes, because the policy of the pages forbids inline styles. */
export const Bar = ({ nominations, wins, max }: { nominations: number; wins: number; max: number }) => (
  <svg class="bar" viewBox={`0 0 ${max} 1`} preserveAspectRatio="none" aria-hidden="true">
    <rect class="nominations" width={nominations} height="1" />
    <rect class="wins" width={wins} height="1" />
  </svg>
);

/** A ranking. The bars repeat the numbers for the eye. @param props.by the number that orders the list */
export function Bars(props: {
  resource: RankedResource;
  ranked: readonly Ranked[];
  by: RankedBy;
  label: string;
}) {
  const { resource, ranked, by, label } = props;
  const max = Math.max(1, ...ranked.map((entry) => entry.nominations));
  return (
    <ol class="bars" aria-label={label}>
      {ranked.map(({ place, id, label: name, nominations, wins }) => (
        <li key={id}>
          <span class="name">
            <span class="place">{number(place)}</span>
            <a href={recordHref(resource, id, name)} dir="auto">
              {name}
            </a>
          </span>
          <Bar nominations={nominations} wins={wins} max={max} />
          <span class="numbers">
            <span class={by === 'nominations' ? 'leading' : ''}>{count(nominations, 'nomination')}</span>{' '}
            <span class={by === 'wins' ? 'leading wins' : 'wins'}>{count(wins, 'win')}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

export const decadeOf = (year: number): number => year - (year % 10);

/** The decades of some years, each once, latest first. */
export const decadesOf = (years: readonly number[]): number[] =>
  [...new Set(years.map(decadeOf))].sort((a, b) => b - a);

/** Links to decades. @param props.chosen the decade that is shown */
export function Decades(props: {
  decades: readonly number[];
  hrefOf: (decade: number) => string;
  chosen?: number;
}) {
  const { decades, hrefOf, chosen } = props;
  return (
    <nav class="chips" aria-label="Decades">
      {decades.map((decade) => (
        <a key={decade} href={hrefOf(decade)} aria-current={decade === chosen ? 'true' : undefined}>
          {decade}s
        </a>
      ))}
    </nav>
  );
}

/** Whether a list has pages, but not this one. */
const isBeyond = ({ page, totalPages }: Pagination): boolean => totalPages > 0 && page > totalPages;

export function Pager({ pagination }: { pagination: Pagination }) {
  const { page, totalPages } = pagination;
  const place = usePlace();
  const hrefOf = (to: number) => {
    const query = new URLSearchParams(place.query);
    if (to === 1) query.delete('page');
    else query.set('page', String(to));
    return withQuery(place.path, query);
  };
  if (isBeyond(pagination))
    return (
      <p>
        There is no page {number(page)}.{' '}
        <a href={hrefOf(totalPages)}>Go to the last page, {number(totalPages)}</a>
      </p>
    );
  if (totalPages <= 1) return null;
  const link = (to: number, rel: 'prev' | 'next', text: string) => (
    <a class="button" rel={rel} href={hrefOf(to)}>
      {text}
    </a>
  );
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? link(page - 1, 'prev', 'Previous') : <span />}
      <span>
        Page {number(page)} of {number(totalPages)}
      </span>
      {page < totalPages ? link(page + 1, 'next', 'Next') : <span />}
    </nav>
  );
}

/** @param props.address of the API, such as `/api/movies?genre=Drama` */
export function RequestShown({ address }: { address: string }) {
  const url = usePageContext().origin + address;
  return (
    <section class="request" aria-labelledby="request">
      <h2 id="request">The same as data</h2>
      <p>
        Programs get{' '}
        {address.startsWith(searchPath) ? 'nominations with all the words' : 'the rows of this page'} from
        this address.
      </p>
      <pre>
        <code>{url}</code>
      </pre>
      <p class="links">
        <CopyButton text={url} label="Copy address" />
        <CopyButton text={`curl '${url.replaceAll("'", '%27')}'`} label="Copy as curl" />
        {isList(address) && <ExportButton address={address} format="csv" />}
        {isList(address) && <ExportButton address={address} format="ndjson" />}
        <a href="/docs">Reference for developers</a>
      </p>
    </section>
  );
}

/** Whether the API gives the whole list as a file. */
function isList(address: string): boolean {
  const route = routes.get(address.split('?', 1)[0]!);
  return route !== undefined && 'parameters' in route && route.parameters.includes('format');
}

/** Saves the whole list with its filters and order. */
function ExportButton({ address, format }: { address: string; format: 'csv' | 'ndjson' }) {
  const [isFailed, setFailed] = useState(false);
  const { resolver } = usePageContext();
  const save = async () => {
    const link = document.createElement('a');
    const file = await (await resolver!()).exported(address, format);
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    // The browser has taken the bytes by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    setFailed(false);
  };
  return (
    <button type="button" onClick={() => void save().catch(() => setFailed(true))}>
      <span aria-live="polite">{isFailed ? 'Try again' : `Save as ${format.toUpperCase()}`}</span>
    </button>
  );
}

function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string>();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    );
  return (
    <button type="button" onClick={() => void copy()} data-text={text}>
      <span aria-live="polite">{copied === text ? 'Copied' : label}</span>
    </button>
  );
}
