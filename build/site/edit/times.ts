/** Times in words, in the time zone of the reader. */

/** "today, 14:02" or "27 November 2026, 14:02". */
export function whenOf(at: string): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const day = time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  return `${isToday ? 'today' : day}, ${clock}`;
}
