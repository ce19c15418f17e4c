/** Pieces of a text, made one at a time. */
interface TextSource {
  /** The next piece; undefined at the end. */
  next(): Promise<string | undefined>;
  /** The reader went away before the end. */
  close(): void;
}

/**
 * A body made as it is read: a piece is asked for when the connection has taken the one before.
 *
 * @param onError told what broke; the connection is then cut, so that half a body is not taken for a whole one
 */
export function textStream(source: TextSource, onError: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let gone = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.next();
          // Whoever leaves closes the stream too, while the next piece may still be on its way.
          if (gone) return;
          if (piece === undefined) controller.close();
          else controller.enqueue(encoder.encode(piece));
        } catch (error) {
          if (gone) return;
          onError(error);
          controller.error(error);
        }
      },
      cancel() {
        gone = true;
        source.close();
      },
    },
    { highWaterMark: 0 },
  );
}
