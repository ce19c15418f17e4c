import type { App } from "../app.ts";
import { isJsonObject } from "../base/json-object.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import { ownerKey } from "../schema/caller.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import { cachedAnswers, slicePieces } from "./cached-answers.ts";

/**
 * Returns an upstream's result as a model gets it through a call variant. A result longer than `tool_response_limit` is
 * truncated; a line at its end states the full length and how to read the rest (`read_cache`).
 *
 * A question of the upstream (`input_required`) is never truncated. Only text can be read later: an image or other
 * block that is too large is replaced by its name, and `structuredContent`, which repeats the text, is omitted.
 */
export function cutAnswer(app: App, caller: Caller, id: string, reply: Reply<CallToolResult>): Reply<CallToolResult> {
  const limit = app.config.current().tool_response_limit;
  const { result, raw } = reply;
  if (limit === 0 || raw.length <= limit || !isJsonObject(result) || result.resultType === "input_required")
    return reply;
  const blocks = Array.isArray(result.content) ? result.content.filter(isJsonObject) : [];
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // If the text is short, the length is in other members; then the whole result can be read as JSON.
  const [pieces, shown] =
    length > limit ? [texts, slicePieces(texts, 0, limit)] : [[raw], slicePieces(texts, 0, limit)];
  const total = length > limit ? length : raw.length;
  const next = length > limit ? shown.length : 0;
  const key = app.part(cachedAnswers).keep({
    owner: ownerKey(caller),
    server: splitToolId(id)?.server ?? "",
    pieces,
    length: total,
  });
  const what =
    length > limit ? `the first ${shown.length} of ${total} characters` : "its text without the other content";
  const notice = `[truncated: this is ${what}; continue with read_cache {"key":"${key}","offset":${next}}${length > limit ? "" : `, the complete result as ${total} characters of JSON`}]`;
  const cut: CallToolResult = {
    content: [
      ...(shown === "" ? [] : [{ type: "text", text: shown }]),
      ...blocks.filter(({ type }) => type !== "text").map((block) => small(block, limit)),
      { type: "text", text: notice },
    ],
    ...(result.isError === true && { isError: true }),
    _meta: { "proxy/cut": { key, total, next_offset: next } },
  };
  return { result: cut, raw: JSON.stringify(cut) };
}

/** Returns a content block, or its name if it is larger than the limit. */
function small(block: McpObject, limit: number): McpObject {
  const { type, data, mimeType, resource } = block;
  const { text, blob } = isJsonObject(resource) ? resource : {};
  const size = [data, text, blob].reduce<number>((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
  if (size <= limit) return block;
  const kind = [type, mimeType].filter((word) => typeof word === "string").join(" ");
  return { type: "text", text: `[${kind.slice(0, 100)} of ${size} characters omitted]` };
}
