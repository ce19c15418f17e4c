import { loopShare } from "../base/loop-share.ts";

/** The text of one message. A long one comes in pieces, since putting it together would hold up the event loop. */
export type MessageText = string | readonly string[];

/** The bytes of a text that comes in pieces, made while others have their turns. */
export async function messageBytes(pieces: readonly string[]): Promise<Buffer[]> {
  const bytes: Buffer[] = [];
  const pause = loopShare();
  for (const piece of pieces) {
    bytes.push(Buffer.from(piece));
    await pause();
  }
  return bytes;
}

/** Texts as one JSON array. */
export function arrayText(texts: readonly MessageText[]): MessageText {
  const whole = texts.filter((text) => typeof text === "string");
  if (whole.length === texts.length) return `[${whole.join(",")}]`;
  return [...texts.flatMap((text, i) => [i === 0 ? "[" : ",", text].flat()), "]"];
}
