/** A text in pieces that are made one at a time. */
interface TextSource {
  /** Resolves with the next piece; undefined at the end. */
  next(): Promise<string | undefined>;
  /** Call if the reader disconnects before the end. */
  close(): void;
}

/**
 * Returns a body that is made while it is read: a piece is requested when the connection has taken the previous one.
 *
 * @param onError called with an error of the source; the connection is then cut, so that the incomplete body is not
 *   taken for a complete one
 */
export function textStream(source: TextSource, onError: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let gone = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.next();
          // When the reader disconnects, the stream is closed while the next piece may still be in progress.
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
