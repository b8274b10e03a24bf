/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * What a view gets and gives, and the parts that pages are made of: headings, facts, pictures, rows, bars and
 * links.
 */
import { yearsIn } from '../../../api/contract/film-year.ts';
import type { ComponentChildren } from 'preact';
import type { Pagination } from '../../../api/contract/answers.ts';
import { isWritable, type ResourceName } from '../../../api/contract/names.ts';
import { routes } from '../../../api/contract/routes.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { count, joined, number, span, summaryParts, type WonText } from '../shared/format.ts';
import { changed, pagesElsewhere, recordHref, withQuery } from './addresses.ts';
import type { Finding } from './search.ts';
import type { Ranked } from './ranking.ts';
import { type RankedResource, type Tally, type Totals, decadeOf } from './record.ts';

/** What a view gets. */
export interface Visit {
  /** All of a page comes from one snapshot. */
  snapshot: Snapshot;
  path: string;
  /** The parameters that pages know. */
  query: URLSearchParams;
  /** Scheme and host of the site. */
  origin: string;
  /** Origins that posters may be loaded from. */
  imageOrigins: ReadonlySet<string>;
  /** Whether the record is the sample of the project. */
  isSample: boolean;
  /** Whether this host takes changes of editors. */
  isWritable: boolean;
  /** Reads a file of the folder, by its path below the root. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  /** What typed words name and mean. @throws SearchRefused */
  find: (typed: string) => Promise<Finding>;
}

/** What a view gives. */
export interface Page {
  /** The heading, and the title of the tab. */
  title: string;
  /** For search engines and shared links. */
  description: string;
  body: ComponentChildren;
  /**
   * Path and query under which search engines list the page; default its own. A record is answered at this
   * path alone.
   */
  canonical?: string;
  /** What the page is about, as schema.org describes it. */
  thing?: object | undefined;
  /** Open Graph type, if not "website". */
  type?: string;
  status?: 404;
  isIndexed?: false;
  /** Whether it depends on other files than those of the snapshot. */
  isOfFiles?: true;
}

/** " in this sample" beside totals. */
export const inSample = ({ isSample }: Visit): string => (isSample ? ' in this sample' : '');

export function Heading(props: { title: string; above?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="heading">
      {props.above && <p class="soft">{props.above}</p>}
      <h1 dir="auto">{props.title}</h1>
      {props.children}
    </header>
  );
}

/** What happened, in sentences below a heading. */
export function Happened({ sentences }: { sentences: readonly (string | undefined)[] }) {
  const text = sentences.filter((sentence) => sentence !== undefined).join(' ');
  if (text === '') return null;
  return (
    <p class="happened" dir="auto">
      {text}
    </p>
  );
}

/** A section with an address of its own. */
export function Section(props: { title: ComponentChildren; id: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** Links to other views of a page. @param props.current the text of the view that is shown */
export function Chips(props: {
  label: string;
  links: readonly (readonly [href: string, text: string])[];
  current?: string | undefined;
}) {
  return (
    <nav class="chips" aria-label={props.label}>
      {props.links.map(([href, text]) => (
        <a key={href} href={href} aria-current={text === props.current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Links to decades. @param props.chosen the decade that is shown */
export const Decades = (props: {
  decades: readonly number[];
  hrefOf: (decade: number) => string;
  chosen?: number | undefined;
}) => (
  <Chips
    label="Decades"
    links={props.decades.map((decade) => [props.hrefOf(decade), `${decade}s`])}
    current={props.chosen === undefined ? undefined : `${props.chosen}s`}
  />
);

/** Names and values; facts without a value are left out. */
export function Facts(props: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const known = props.facts.filter(([, value]) => Boolean(value));
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Some of the other names of a film or person, as a fact. */
export const otherNamesFact = (names: readonly string[]): readonly [string, string] => [
  'Also known as',
  joined(...names.slice(0, 6)),
];

export const listed = (items: readonly ComponentChildren[], separator = ', '): ComponentChildren =>
  items.map((item, i) => [i > 0 && separator, item]);

/** @param text the title of the record, or the year of a ceremony */
export const recordLink = (resource: ResourceName, id: number, text: string | number, title = text) => (
  <a dir="auto" href={recordHref(resource, id, text)}>
    {title}
  </a>
);

/** undefined for a text that is not an http address, such as one that runs a program. */
export function webAddress(text: string | null): URL | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return /^https?:$/.test(address.protocol) ? address : undefined;
}

/** A link to another site, if the address is valid. */
export function externalLink(address: string | null, text: string): ComponentChildren {
  const href = webAddress(address)?.href;
  return href === undefined ? undefined : (
    <a href={href} rel="noreferrer external">
      {text}
    </a>
  );
}

/** Links to the pages of a film, person or company on other sites. */
export function elsewhere(...ids: Parameters<typeof pagesElsewhere>): ComponentChildren {
  return pagesElsewhere(...ids).map(([site, address]) => externalLink(address, `On ${site}`));
}

/** A text whose second part has the colour of winners. */
const inParts = ([before, won, after]: WonText): ComponentChildren => [
  before,
  won && (
    <span key="won" class="won">
      {won}
    </span>
  ),
  after,
];

/** "Won 6 of 13 nominations (1 not official) · 1995–2003". */
export const TallyLine = ({ visit, tally, isOfFilm }: { visit: Visit; tally: Tally; isOfFilm?: true }) => (
  <p class="tally">
    {inParts(summaryParts(tally))}
    {!isOfFilm && tally.years && ` · ${span(...tally.years)}`}
    {inSample(visit)}
  </p>
);

export function RecordLinks(props: {
  visit: Visit;
  resource: ResourceName;
  id: number;
  children?: ComponentChildren;
}) {
  const { visit, resource, id, children } = props;
  return (
    <p class="links">
      {children}
      {visit.isWritable && isWritable(resource) && <a href={`/edit/${resource}/${id}`}>Edit this record</a>}
      <a href={`/api/${resource}/${id}`}>This record as JSON</a>
    </p>
  );
}

export interface Row {
  href: string;
  /** A place that links lead to. */
  place?: string | undefined;
  label: string;
  /** What it is known for first: "Best Picture". */
  mark?: string | undefined;
  detail: string;
  /** The end of the row, such as what the record has won. */
  numbers?: WonText | undefined;
  /** A poster or a portrait. */
  picture?: ComponentChildren;
  /** Year of a film: the row has the colour of its decade. */
  filmYears?: string | undefined;
}

/** The class of a decade, which has a colour. */
export const decadeClass = (filmYears: string): string => `decade-${decadeOf(yearsIn(filmYears)[1])}`;

function rowClass(picture: ComponentChildren, filmYears: string | undefined): string | undefined {
  const classes = [
    ...(picture ? ['pictured'] : []),
    ...(filmYears === undefined ? [] : ['spined', decadeClass(filmYears)]),
  ];
  return classes.length > 0 ? classes.join(' ') : undefined;
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="rows">
      {rows.map(({ href, place, label, mark, detail, numbers, picture, filmYears }) => (
        <li key={href} id={place} class={rowClass(picture, filmYears)}>
          {picture}
          <span class="first">
            <a href={href} dir="auto">
              {label}
            </a>
            {mark && <span class="mark">{mark}</span>}
          </span>
          <span class="detail" dir="auto">
            {detail}
          </span>
          {numbers && <span class="numbers">{inParts(numbers)}</span>}
        </li>
      ))}
    </ul>
  );
}

/**
 * Nominations, and the wins among them. Attributes, because the policy of the pages forbids inline styles.
 */
export const Bar = ({ nominations, wins, max }: Totals & { max: number }) => (
  <svg class="bar" viewBox={`0 0 ${max} 1`} preserveAspectRatio="none" aria-hidden="true">
    <rect class="nominations" width={nominations} height="1" />
    <rect class="wins" width={wins} height="1" />
  </svg>
);

/** A ranking. The bars repeat the numbers for the eye. */
export function Bars(props: { resource: RankedResource; ranked: readonly Ranked[]; label: string }) {
  const max = Math.max(1, ...props.ranked.map(({ nominations }) => nominations));
  return (
    <ol class="bars" aria-label={props.label}>
      {props.ranked.map(({ place, id, label, filmYears, nominations, wins }) => (
        <li key={id}>
          <span class="name">
            <span class="place">{number(place)}</span>
            <span>
              {recordLink(props.resource, id, label)}
              {filmYears !== undefined && <span class="detail"> {filmYears}</span>}
            </span>
          </span>
          <Bar nominations={nominations} wins={wins} max={max} />
          <span class="numbers">
            {count(nominations, 'nomination')} <span class="won">{count(wins, 'win')}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

export const decadeHref = (decade: number): string => `?decade=${decade}`;
/** The decade that an address asks for; the latest if the record does not have it. */
export function chosenDecade({ query }: Visit, years: readonly number[]): number | undefined {
  const asked = Number(query.get('decade'));
  return years.some((year) => decadeOf(year) === asked) ? asked : decadeOf(Math.max(...years));
}

export function Pager({ visit, pagination }: { visit: Visit; pagination: Pagination }) {
  const { page, totalPages } = pagination;
  const hrefOf = (to: number) =>
    changed(visit.path, visit.query, { page: to === 1 ? undefined : String(to) });
  if (totalPages > 0 && page > totalPages)
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

/**
 * The request to the API for the same records, and the whole list as a file.
 * @param props.address such as `/api/movies?genre=Drama`
 * @param props.children how the answer differs from the page
 */
export function RequestShown(props: { visit: Visit; address: string; children?: ComponentChildren }) {
  const { visit, address, children } = props;
  const [path = '', query = ''] = address.split('?');
  const url = visit.origin + address;
  const route = routes.get(path);
  const isList = route !== undefined && 'parameters' in route && route.parameters.includes('format');
  const fileOf = (format: string) => {
    const parameters = new URLSearchParams(query);
    for (const name of ['page', 'limit']) parameters.delete(name);
    parameters.set('format', format);
    // People open the file in Excel.
    if (format === 'csv') parameters.set('bom', 'true');
    return withQuery(path, parameters);
  };
  return (
    <details class="request">
      <summary>Get this list as JSON{isList && ', CSV or NDJSON'}</summary>
      <pre>
        <code>{url}</code>
      </pre>
      <p class="links">
        <button type="button" class="copy" data-copy={url}>
          Copy address
        </button>
        <button type="button" class="copy" data-copy={`curl '${url.replaceAll("'", '%27')}'`}>
          Copy as curl
        </button>
        <a href={address}>JSON</a>
        {isList && <a href={fileOf('csv')}>Save as CSV for Excel</a>}
        {isList && <a href={fileOf('ndjson')}>Save as NDJSON</a>}
        <a href="/docs">API reference</a>
      </p>
      {children}
    </details>
  );
}
