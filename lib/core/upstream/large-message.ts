import { skipJsonSpace, walkJsonValue } from "../base/json-walk.ts";
import { JsonBoundError } from "../base/parse-json.ts";
import {
  type JsonCursor,
  jsonKeyOf,
  nextJsonElement,
  nextJsonMember,
  parseJsonStepsAt,
} from "../base/parse-large-json.ts";
import type { McpObject } from "../schema/mcp.ts";
import { MAX_UPSTREAM_DEPTH, TOO_DEEP_TEXT } from "./protocol/depth.ts";
import { isRpcId, nonResultMessage, type UpstreamMessage } from "./protocol/upstream-message.ts";

/** Stands for a member that is nested too deep. */
const DEEP = Symbol("too deep");

/**
 * Reads a large message like `readClientMessage`, in pieces between which the caller can pause.
 *
 * @throws SyntaxError if the text is not JSON or not a JSON-RPC message
 */
export function* readLargeMessage(text: string): Generator<void, UpstreamMessage> {
  const place = { at: skipJsonSpace(text, 0) };
  if (text[place.at] === "[") return { kind: "batch", texts: yield* elementTexts(text, place) };
  if (text[place.at] !== "{") throw new SyntaxError("not a JSON-RPC message");
  const message: McpObject = {};
  let raw: string | undefined;
  for (let member = yield* nextJsonMember(text, place); member; member = yield* nextJsonMember(text, place)) {
    const key = jsonKeyOf(text, member);
    const value = yield* shallow(text, place);
    if (key === "result") raw = text.slice(member.start, place.at);
    if (MEMBERS.has(key)) message[key] = value;
  }
  atEnd(text, place);
  if (message.error === DEEP) message.error = { message: TOO_DEEP_TEXT };
  const other = nonResultMessage(message);
  if (other) return other;
  const { id, result } = message;
  if (raw === undefined || !isRpcId(id)) throw new SyntaxError("neither a request nor a response");
  if (result === DEEP) return { kind: "too deep", id };
  return { kind: "result", id, reply: { result, raw: yield* inOneLine(raw) } };
}

const MEMBERS: ReadonlySet<string> = new Set(["id", "method", "params", "error", "result"]);

/** Parses the value at `place` and moves `place` behind it. */
function* shallow(text: string, place: JsonCursor): Generator<void, unknown> {
  const start = place.at;
  try {
    return yield* parseJsonStepsAt(text, place, MAX_UPSTREAM_DEPTH);
  } catch (error) {
    if (!(error instanceof JsonBoundError)) throw error;
    const within = { at: start, depth: 0, deepest: 0 };
    while (!walkJsonValue(text, within, STEPS)) yield;
    place.at = within.at;
    return DEEP;
  }
}

/** Maximum number of characters and strings scanned in one step. */
const STEPS = 50_000;

function* elementTexts(text: string, place: JsonCursor): Generator<void, string[]> {
  const texts: string[] = [];
  for (let isFirst = true; yield* nextJsonElement(text, place, isFirst); isFirst = false) {
    const start = place.at;
    yield* shallow(text, place);
    texts.push(text.slice(start, place.at));
  }
  atEnd(text, place);
  return texts;
}

function atEnd(text: string, { at }: JsonCursor): void {
  if (skipJsonSpace(text, at) < text.length) throw new SyntaxError(`unexpected text at character ${at}`);
}

const LINE_PIECE = 512 * 1024;

/** Like `oneLine`, in pieces. */
function* inOneLine(raw: string): Generator<void, string> {
  if (!raw.includes("\n") && !raw.includes("\r")) return raw;
  let line = "";
  for (let at = 0; at < raw.length; at += LINE_PIECE, yield)
    line += raw.slice(at, at + LINE_PIECE).replace(/[\r\n]/g, " ");
  return line;
}
