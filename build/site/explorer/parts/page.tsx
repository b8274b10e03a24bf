/** @jsxRuntime automatic @jsxImportSource preact */
/** The parts of every page: its heading and sections, and its answer while it loads, when it is there and when it fails. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../../api/contract/names.ts';
import type { RecordOf } from '../../../../api/contract/resources.ts';
import { manifestPath } from '../../../../api/contract/snapshot.ts';
import { ApiError } from '../../shared/api.ts';
import { nouns } from '../../shared/format.ts';
import { useLatest } from '../../shared/hooks.ts';
import { hrefOf } from '../addresses.ts';
import { correctPath, settle, takeFocus } from '../navigation.ts';
import { usePageContext } from '../page-context.ts';
import type { Reading } from '../record.ts';

export const siteName = 'Film Awards';

/** @param title the heading of the page */
export const documentTitle = (title: string): string =>
  title === siteName ? title : `${title} · ${siteName}`;

/** Title of the page. It takes the focus on arrival, so that screen readers announce the new page. */
export function Heading(props: {
  title: string;
  /** Title of the tab, if it is another one. */
  tab?: string;
  above?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, tab = title, above, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  usePageContext().onTitle?.(tab);
  useLayoutEffect(() => {
    document.title = documentTitle(tab);
    if (takeFocus()) heading.current?.focus({ preventScroll: true });
  });
  return (
    <header class="heading">
      {above && <p class="above">{above}</p>}
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {title}
      </h1>
      {children}
    </header>
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

export type Answer<T> =
  | { state: 'loading'; value: undefined }
  /** `isStale` while the answer to a changed question loads. */
  | { state: 'ready'; value: T; isStale: boolean }
  | { state: 'failed'; value: undefined; error: unknown; retry: () => void };

/**
 * The result of `load`, loaded again when the key or the snapshot changes.
 * @param key names the question; while the key changes only behind a "?", the earlier answer stays
 */
export function useAnswer<T>(key: string, load: (reading: Reading) => Promise<T>): Answer<T> {
  const [retries, setRetries] = useState(0);
  const retry = () => setRetries((before) => before + 1);
  const { answers, reading, version } = usePageContext();
  const attempt = retries + version;
  const read = async () => load(await reading());
  const result = useLatest(key, read, attempt, () => answers.of(key, read));
  useLayoutEffect(() => {
    if (result?.key === key) settle();
  });
  if (result === undefined || pageOf(result.key) !== pageOf(key))
    return { state: 'loading', value: undefined };
  const isStale = result.key !== key;
  if (result.error === undefined) return { state: 'ready', value: result.value as T, isStale };
  if (isStale || result.attempt !== attempt) return { state: 'loading', value: undefined };
  return { state: 'failed', value: undefined, error: result.error, retry };
}

/** The key of the answer to whether the record is the sample of the project. */
export const sampleKey = 'sample';

/** Whether the record is the sample of the project, whose totals are not those of the whole record. */
export const useIsSample = (): boolean => useAnswer(sampleKey, ({ isSample }) => isSample()).value === true;

/** What follows the name of a total. */
export const useInSample = (): string => (useIsSample() ? ' in this sample' : '');

const pageOf = (key: string): string => key.split('?', 1)[0]!;

/** For a link above the results that disappears with a click, and the focus with it. */
export const focusResults = (): void => document.getElementById('results')?.focus({ preventScroll: true });

export const focusHeading = (): void => document.querySelector('h1')?.focus({ preventScroll: true });

export function Shown<T>(props: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  const { answer, children } = props;
  if (answer.state === 'failed') return <Unreadable retry={answer.retry} />;
  if (answer.state === 'loading')
    return (
      <p class="waiting" role="status">
        Reading the record…
      </p>
    );
  return (
    <div class="answer" aria-busy={answer.isStale}>
      {children(answer.value)}
    </div>
  );
}

const causes = {
  damaged: ['The record cannot be read', 'Part of it is missing or damaged at the moment.'],
  offline: ['You are offline', 'This part of the record is not on your device yet.'],
  unreachable: ["Can't reach the server", 'This part of the record is not on your device yet.'],
} as const;

/** Why the record could not be read. */
function useCause(): keyof typeof causes {
  const [cause, setCause] = useState<keyof typeof causes>('damaged');
  useEffect(() => {
    if (!navigator.onLine) setCause('offline');
    else
      fetch(`/${manifestPath}`, { method: 'HEAD', cache: 'no-store' }).catch(() => setCause('unreachable'));
  }, []);
  return cause;
}

function Unreadable({ retry }: { retry: () => void }) {
  const [title, text] = causes[useCause()];
  return (
    <div class="failure" role="alert">
      <h2>{title}</h2>
      <p>{text} Nothing is lost; try again in a moment.</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** The page of a record: loads it and shows it with the given component. */
export function recordPage<R extends ResourceName, T extends { id: number }>(
  resource: R,
  Content: (props: { record: T }) => ComponentChildren,
  load: (reading: Reading, id: number) => Promise<T> = (reading, id) => reading.record<T>(resource, id),
): (props: { id: number }) => ComponentChildren {
  return function RecordPage({ id }) {
    const answer = useAnswer(recordKey(resource, id), (reading) => load(reading, id));
    const record = answer.value;
    useLayoutEffect(() => {
      // A nomination with its records has no title in its address.
      if (record) correctPath(hrefOf(resource, record as unknown as RecordOf[R] & { id: number }));
    }, [record]);
    if (answer.state === 'failed' && answer.error instanceof ApiError && answer.error.status === 404)
      return (
        <>
          <Heading title={`There is no such ${nouns[resource].one}`} />
          <p>It may have been removed, or the address is mistyped. The search above finds what there is.</p>
        </>
      );
    return <Shown answer={answer}>{(shown) => <Content record={shown} />}</Shown>;
  };
}

/** The key of the answer that a page of a record shows. */
export const recordKey = (resource: ResourceName, id: number): string => `${resource}/${id}`;
