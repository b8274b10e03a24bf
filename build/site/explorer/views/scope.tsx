/** @jsxRuntime automatic @jsxImportSource preact */
/** What is on record, in one sentence. */
import { count, number, span } from '../../shared/format.ts';
import { tallyAt } from '../ask.ts';
import type { Visit } from '../parts.tsx';
import { ceremoniesOf } from '../record.ts';

/** @throws SnapshotUnavailable */
export async function scopeOf({ snapshot, isSample }: Visit) {
  const [ceremonies, tally] = await Promise.all([
    ceremoniesOf(snapshot),
    tallyAt(snapshot, new URLSearchParams()),
  ]);
  const { movies, nominees, songs } = snapshot.manifest.counts;
  const years = ceremonies.map((own) => own.ceremony_year);
  if (years.length === 0) return <p>The record is empty. The operator has imported no data yet.</p>;
  return (
    <p class="lead">
      Who was nominated, and who won: {count(tally.nominations, 'nomination')}, {count(movies, 'film')},{' '}
      {number(nominees)} people and companies, {count(songs, 'song')} and{' '}
      {count(years.length, 'ceremony', 'ceremonies')}
      {isSample ? ' in this sample' : ''}, {span(Math.min(...years), Math.max(...years))}.
    </p>
  );
}
