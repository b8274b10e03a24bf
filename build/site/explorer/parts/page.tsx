/** What every page is made of: a heading that takes the focus, what is shown while there is no answer, and what went wrong. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Answered } from '../answers.ts';
import { takeFocus } from '../navigation.ts';
import { Unanswered } from '../record.ts';

export const siteName = 'Film Awards';

/** The title of the page, in the heading, the window and for whoever cannot see it change. */
export function Heading(props: { title: string; above?: ComponentChildren; children?: ComponentChildren }) {
  const { title, above, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = title === siteName ? title : `${title} · ${siteName}`;
    if (takeFocus()) heading.current?.focus({ preventScroll: true });
  });
  return (
    <header class="heading">
      {above && <p class="above">{above}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  );
}

/** Shows an answer when it is there; before that the wait, and if it fails why. */
export function Shown<T>(props: {
  answer: Answered<T>;
  /** What is asked for, such as "film", for the message where there is none. */
  what: string;
  children: (value: T) => ComponentChildren;
}) {
  const { answer, what, children } = props;
  if (answer.state === 'failed') return <Failure error={answer.error} retry={answer.retry} what={what} />;
  if (answer.state === 'loading') return <Waiting />;
  return (
    <div class="answer" aria-busy={answer.stale}>
      {children(answer.value)}
    </div>
  );
}

export function Waiting() {
  return (
    <p class="waiting" role="status">
      Reading the record…
    </p>
  );
}

/** In words, and what to do next. */
export function Failure(props: { error: unknown; retry: () => void; what: string }) {
  const { error, retry, what } = props;
  if (error instanceof Unanswered && error.status === 404)
    return (
      <>
        <Heading title={`There is no such ${what}`} />
        <p>It may have been removed, or the address is mistyped. The search above finds what there is.</p>
      </>
    );
  const [title, text] = navigator.onLine
    ? ['The record cannot be read', 'Part of it is missing or damaged at the moment.']
    : ['You are offline', 'This part of the record is not on your device yet.'];
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

/** A heading with an address of its own, and what stands below it. */
export function Section(props: { title: ComponentChildren; id: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}
