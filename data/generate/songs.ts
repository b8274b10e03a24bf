/** The songs: their records. */
import type { Song } from '../../api/contract/resources.ts';
import { presentYear } from './dates.ts';
import { personName } from './nominees.ts';
import type { Random, Streams } from './random.ts';
import { filmTitle, songTitle } from './titles.ts';

const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/** The record of a song from a film. */
export function songRecord(streams: Streams, id: number, movieId: number, ceremonyYear: number): Song {
  const random = streams.of('song', id);
  const title = songTitle(random, id);
  const film = filmTitle(streams, movieId);
  const track = Array.from({ length: 22 }, () => random.pick(letters)).join('');
  return {
    id,
    original_title: title,
    artist_names: artists(random),
    streaming_id: track,
    streaming_url: `https://streaming.example/track/${track}`,
    streaming_track_name: `${title} - From "${film}"`,
    streaming_album_name: `${film} (Original Motion Picture Soundtrack)`,
    // Old songs reach a streaming service as late reissues.
    streaming_year: random.oneIn(2) ? ceremonyYear - 1 : random.between(ceremonyYear - 1, presentYear),
  };
}

function artists(random: Random): string {
  const names = Array.from({ length: random.oneIn(3) ? random.between(2, 3) : 1 }, () => personName(random));
  return random.oneIn(3) ? names.join(' & ') : names.join(', ');
}
