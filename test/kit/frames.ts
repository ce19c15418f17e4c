import assert from "node:assert/strict";
import * as v from "valibot";
import { EVENT_FRAMES } from "#lib/core/schema/event-payload.ts";

/** One parsed frame of an event stream. */
export interface Frame {
  id?: string;
  event?: string;
  retry?: string;
  comments: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of data
  data?: any;
}

/** Parses the text of an event stream as a browser does, but keeps comments. */
export function frames(text: string): Frame[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const frame: Frame = { comments: [] };
      for (const line of block.split("\n")) {
        const [, field = "", value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
        if (field === "") frame.comments.push(value);
        else if (field === "data") frame.data = JSON.parse(value);
        else frame[field as "id" | "event" | "retry"] = value;
      }
      return frame;
    });
}

/**
 * Parses the frames of `GET /events` and checks them against the API description: no other types and no undeclared
 * members.
 */
export function eventFrames(text: string): Frame[] {
  const all = frames(text);
  for (const { event, data } of all) if (event !== undefined) described(event, data);
  return all;
}

function described(event: string, data: unknown): void {
  const schema = EVENT_FRAMES[event];
  assert.ok(schema, `event ${event} is not described`);
  assert.deepEqual(v.parse(schema, data), data, event);
}
