import { jsonStringEnd, skipJsonSpace, walkJsonValue } from "../../base/json-walk.ts";
import { type McpObject, OVERSIZE, type RawTool } from "../../schema/mcp.ts";
import { MAX_TOOL_CHARS } from "../../schema/tool.ts";
import { UpstreamError } from "../errors.ts";
import { isShallow, MAX_UPSTREAM_DEPTH, TOO_DEEP_TEXT } from "./depth.ts";

/**
 * An entry with longer JSON has more than `MAX_TOOL_CHARS` characters, however much of it is escapes and white space.
 */
const MAX_ENTRY = 8 * MAX_TOOL_CHARS;
/** The name of an entry that is not parsed is searched only in its beginning. (characters) */
const NAME_WITHIN = 2000;

/**
 * Parses a large list result entry by entry, so that the caller can pause in between. An entry that is far too large is
 * not parsed; only its name is kept, with a mark.
 *
 * @param raw the text of the result
 * @param member the member that contains the entries
 * @throws SyntaxError if the text is not a JSON object
 * @throws UpstreamError if it is nested too deep
 */
export function* readLargeListing(raw: string, member = "tools"): Generator<void, McpObject> {
  const result: McpObject = {};
  let at = skipJsonSpace(raw, 0);
  if (raw[at] !== "{") throw new SyntaxError("not an object");
  at = skipJsonSpace(raw, at + 1);
  while (raw[at] === '"') {
    const keyEnd = jsonStringEnd(raw, at);
    const key = JSON.parse(raw.slice(at, keyEnd)) as string;
    const colon = skipJsonSpace(raw, keyEnd);
    if (raw[colon] !== ":") throw new SyntaxError(`no colon at position ${colon}`);
    const start = skipJsonSpace(raw, colon + 1);
    if (key === member && raw[start] === "[") {
      const entries = yield* elementsAt(raw, start);
      result[member] = entries.list;
      at = entries.end;
    } else {
      at = yield* endOf(raw, start);
      // The member is defined as data, even if it is called `__proto__`.
      Object.defineProperty(result, key, { ...MEMBER, value: JSON.parse(raw.slice(start, at)) });
    }
    at = skipJsonSpace(raw, at);
    if (raw[at] === ",") at = skipJsonSpace(raw, at + 1);
  }
  if (raw[at] !== "}" || skipJsonSpace(raw, at + 1) < raw.length)
    throw new SyntaxError(`unexpected text at position ${at}`);
  return result;
}

const MEMBER = { configurable: true, enumerable: true, writable: true };

function* elementsAt(raw: string, start: number): Generator<void, { list: unknown[]; end: number }> {
  const list: unknown[] = [];
  let at = skipJsonSpace(raw, start + 1);
  while (at < raw.length && raw[at] !== "]") {
    const end = yield* endOf(raw, at);
    if (end === at) throw new SyntaxError(`unexpected text at position ${at}`);
    list.push(
      end - at > MAX_ENTRY ? oversize(raw.slice(at, at + NAME_WITHIN)) : shallow(JSON.parse(raw.slice(at, end))),
    );
    yield;
    at = skipJsonSpace(raw, end);
    if (raw[at] === ",") at = skipJsonSpace(raw, at + 1);
  }
  if (at >= raw.length) throw new SyntaxError("the list does not end");
  return { list, end: at + 1 };
}

function shallow(entry: unknown): unknown {
  if (!isShallow(entry, MAX_UPSTREAM_DEPTH - 2)) throw new UpstreamError(TOO_DEEP_TEXT);
  return entry;
}

function oversize(begin: string): RawTool {
  const name = /"name"\s*:\s*"([^"\\]{1,256})"/.exec(begin)?.[1] ?? "(without a name at its start)";
  const uri = /"(uri|uriTemplate)"\s*:\s*"([^"\\]{1,1024})"/.exec(begin);
  return { name, inputSchema: { type: "object" }, ...(uri && { [uri[1]!]: uri[2] }), [OVERSIZE]: true };
}

/** Like `walkJsonValue`, with pauses within long values. */
function* endOf(raw: string, start: number): Generator<void, number> {
  const place = { at: start, depth: 0, deepest: 0 };
  while (!walkJsonValue(raw, place, STEPS)) yield;
  return place.at;
}

/** Maximum number of characters and strings scanned in one step. */
const STEPS = 50_000;
