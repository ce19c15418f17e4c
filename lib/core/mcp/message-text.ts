import { loopShare } from "../base/loop-share.ts";

/** The text of one message. A long text is in pieces, because joining them would block the event loop. */
export type MessageText = string | readonly string[];

/** Encodes a text in pieces, yielding to other work. */
export async function messageBytes(pieces: readonly string[]): Promise<Buffer[]> {
  const bytes: Buffer[] = [];
  const pause = loopShare();
  for (const piece of pieces) {
    bytes.push(Buffer.from(piece));
    await pause();
  }
  return bytes;
}

/** Joins texts to one JSON array. */
export function arrayText(texts: readonly MessageText[]): MessageText {
  const whole = texts.filter((text) => typeof text === "string");
  if (whole.length === texts.length) return `[${whole.join(",")}]`;
  return [...texts.flatMap((text, i) => [i === 0 ? "[" : ",", text].flat()), "]"];
}
