import * as v from "valibot";
import { Fault } from "#lib/core/base/fault.ts";
import { CACHED_ANSWER_MS, cachedAnswers, slicePieces } from "#lib/core/mcp/cached-answers.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { inScope } from "#lib/core/policy/scope.ts";
import { ownerKey } from "#lib/core/schema/caller.ts";

/** Longest part in one response if truncation is disabled (characters). */
const LIMIT = 20_000;

export default tool("read_cache", {
  title: "Read more of a truncated result",
  description:
    "Returns the next part of a tool result that was truncated because of its length. The truncated result names its key and the next offset. Read on only if you need more than the part you have.",
  modes: ["retrieve_tools"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  searchHint: "read the rest of a truncated tool result",
  listed: (app) => app.config.current().tool_response_limit > 0,
  input: v.object({
    key: v.pipe(v.string(), v.maxLength(100), v.description("key from the truncated result")),
    offset: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description("position to continue at, in characters (default 0)"),
      ),
    ),
  }),
  run({ app, caller, input: { key, offset = 0 } }) {
    const answer = app.part(cachedAnswers).get(key);
    const server = answer && app.config.server(answer.server);
    // The caller may have lost access to the server since, or the server may be quarantined.
    const isOpen = server && inScope(caller.scope, server.name) && !app.config.quarantined(server);
    if (!answer || !isOpen || answer.owner !== ownerKey(caller))
      throw new Fault("invalid_args", {
        reason: `read_cache: no stored result has this key; results are stored for at most ${CACHED_ANSWER_MS / 60_000} minutes, so call the tool again`,
      });
    if (offset >= answer.length)
      throw new Fault("invalid_args", {
        reason: `read_cache: offset ${offset} is beyond the end; the result has ${answer.length} characters`,
      });
    const text = slicePieces(answer.pieces, offset, offset + (app.config.current().tool_response_limit || LIMIT));
    const next = offset + text.length;
    const end = next >= answer.length;
    const notice = end ? "[end of the result]" : `[continue with offset ${next} of ${answer.length} characters]`;
    const result = {
      content: [
        { type: "text", text },
        { type: "text", text: notice },
      ],
      _meta: { "proxy/cut": { key, total: answer.length, ...(!end && { next_offset: next }) } },
    };
    return { passthrough: { result, raw: JSON.stringify(result) } };
  },
});
