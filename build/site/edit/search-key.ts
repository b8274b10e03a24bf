/** The keys that lead to the search of a page. In a file of its own: the reference loads no library for it. */

/** Whether keys are text where they are pressed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=radio], [type=checkbox]), textarea, select');

/** The keys that lead to a search: Ctrl+K or Command+K, and "/" outside of text fields. @returns ends it */
export function onSearchKey(focus: () => void): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const isSlash = event.key === '/' && !hasModifier && !isTyping(event.target);
    if (!isSlash && !(event.key.toLowerCase() === 'k' && hasModifier)) return;
    event.preventDefault();
    focus();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}
