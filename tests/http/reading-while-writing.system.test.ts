/** Reads while editors write: every answer is 200 and from one snapshot, never older than an earlier answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runs } from '../support/settings.ts';
import { documentOf, expectShown, useWritingService } from './writing-service.ts';

const running = useWritingService();

/** The writes number the title of this film. */
const film = 38;
const numberIn = (text: unknown): number => Number(/No\. (\d+)/.exec(String(text))?.[1] ?? -1);

interface Document {
  title?: unknown;
  data: Record<string, unknown>[];
  nominations: Record<string, unknown>[];
}

/** The numbers in all copies of the title in an answer. */
const readers: [target: string, numbers: (document: Document) => number[]][] = [
  [
    '/api/movies/38',
    ({ title, nominations }) => [title, ...nominations.map(({ movie }) => movie)].map(numberIn),
  ],
  ['/api/movies?title=no.', ({ data }) => data.map(({ title }) => numberIn(title))],
  ['/api/nominations?movie_ids=38', ({ data }) => data.map(({ movie }) => numberIn(movie))],
  [
    '/api/categories/3',
    ({ nominations }) => nominations.filter((it) => it.movie_id === film).map(({ movie }) => numberIn(movie)),
  ],
  [
    '/api/stats/top-movies?limit=100',
    ({ data }) => data.filter((it) => it.movie_id === film).map(({ movie }) => numberIn(movie)),
  ],
  ['/api/search?q=quokka', ({ data }) => data.map(({ movie }) => numberIn(movie))],
  ['/api/search?q=quokka+song&winner=true', ({ data }) => data.map(({ movie }) => numberIn(movie))],
];

it('while editors write, every read is answered from one snapshot, never from an earlier one than before', async () => {
  const { service } = running;
  await service.write('PATCH', `/api/movies/${film}`, { title: 'Quokka No. 0' });
  let writing = true;
  const seen = new Set<number>();
  const reading = readers.map(async ([target, numbers]) => {
    let [asked, latest] = [0, 0];
    while (writing || asked === 0) {
      const { status, body } = await service.ask(target);
      expect(status, target).toBe(200);
      const found = new Set(numbers(JSON.parse(body.toString()) as Document));
      expect(found.size, `${target}: ${body.toString().slice(0, 500)}`).toBe(1);
      const [number] = found;
      expect(number).toBeGreaterThanOrEqual(latest);
      latest = number!;
      seen.add(latest);
      asked += 1;
      await pause(20);
    }
    return asked;
  });
  const others = Array.from({ length: 3 }, async (_, editor) => {
    for (let round = 0; round < runs(19); round += 1) {
      const [target, body] = (
        [
          ['/api/nominees/1', { biography: `No. ${round}` }],
          ['/api/nominations/8', { winner: round % 2 === 0 }],
          ['/api/songs/25', { artist_names: `No. ${round}` }],
        ] as const
      )[editor]!;
      expect((await service.write('PATCH', target, body)).status).toBe(200);
    }
  });
  // Readers miss some of the titles: a write takes less time than their pause.
  const titles = Math.max(20, runs(24));
  for (let number = 1; number <= titles; number += 1) {
    const reply = await service.write('PATCH', `/api/movies/${film}`, { title: `Quokka No. ${number}` });
    expect(reply.status).toBe(200);
    expect(numberIn(documentOf(reply).title)).toBe(number);
  }
  await Promise.all(others);
  writing = false;
  for (const asked of await Promise.all(reading)) expect(asked).toBeGreaterThan(5);
  // The test is only meaningful if the readers saw changes.
  expect(seen.size).toBeGreaterThan(5);
  await expectShown(service, ...readers.map(([target]) => target));
});
