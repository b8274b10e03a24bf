/** A question about what a cell means: a button for each answer. */

/** What the editor must look at, in the order of the page. */
const questions =
  '.doubt button, select.doubt, .question button, [aria-invalid=true]:not(.cell:has(.doubt) *)';

/** Moves the focus to the next question behind an element. @param isLeft whether one is passed over */
export function focusNextQuestion(
  from: Element | null,
  isLeft: (question: HTMLElement) => boolean = () => false,
): boolean {
  const open = [...document.querySelectorAll<HTMLElement>(questions)].filter((own) => !isLeft(own));
  const isBehind = (own: Element) =>
    from !== null && (from.compareDocumentPosition(own) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const next = open.find(isBehind) ?? open[0];
  next?.focus();
  return next !== undefined;
}

interface DoubtProps<A> {
  /** The typed text that the question is about. */
  label: string;
  reason: string;
  answers: readonly { value: A; text: string }[];
  onAnswer: (value: A) => void;
}

export function Doubt<A>({ label, reason, answers, onAnswer }: DoubtProps<A>) {
  /** The question goes: the focus moves to the next one, or stays in the cell. */
  const leave = (button: HTMLElement) => {
    const isOfThis = (own: HTMLElement) => own.closest('.doubt')?.getAttribute('aria-label') === label;
    if (!focusNextQuestion(button, isOfThis)) button.closest('.cell')?.querySelector('input')?.focus();
  };
  return (
    <fieldset class="doubt" aria-label={label}>
      <span>{reason}</span>
      {answers.map(({ value, text }) => (
        <button
          key={text}
          type="button"
          onClick={({ currentTarget }) => {
            leave(currentTarget);
            onAnswer(value);
          }}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
