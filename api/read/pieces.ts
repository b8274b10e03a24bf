/** Bodies in pieces: exports, which are too large to be in memory as a whole. */

/** A body that is made while it is sent. A failure on the way breaks it off. */
export type Pieces = AsyncIterable<Uint8Array>;

/** All pieces, where the caller has taken the first one. @param onError called with a later failure */
export async function* continued(
  first: IteratorResult<Uint8Array, void>,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (first.done) return;
  yield first.value;
  try {
    yield* pieces;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** All pieces as one body. */
export const joined = async (pieces: Pieces): Promise<Uint8Array> =>
  new Uint8Array(await new Response(streamOf(pieces)).arrayBuffer());

/** A stream that makes a piece when the last one is taken. */
export function streamOf(pieces: Pieces): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
