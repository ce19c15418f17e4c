import * as v from "valibot";
import { Fault } from "#lib/core/base/fault.ts";
import { KEPT_MS, keptAnswers, sliceOf } from "#lib/core/mcp/kept-answers.ts";
import { ownerOf } from "#lib/core/mcp/sessions.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { inScope } from "#lib/core/policy/scope.ts";

/** Longest part of one answer where answers are no longer cut. (characters) */
const LIMIT = 20_000;

export default tool("read_cache", {
  title: "Read on in an answer that was cut",
  description:
    "Gives the next part of a tool's answer that was cut because of its length. The cut answer says its key and the offset to go on at. Read on only if what you need is not in the part you have.",
  modes: ["retrieve_tools"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  listed: (app) => app.config.current().tool_response_limit > 0,
  input: v.object({
    key: v.pipe(v.string(), v.maxLength(100), v.description("as the cut answer says")),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description("where to go on (characters), 0 unless said")),
    ),
  }),
  run({ app, caller, input: { key, offset = 0 } }) {
    const answer = app.part(keptAnswers).get(key);
    const server = answer && app.config.server(answer.server);
    // What it came from may have been taken from the caller, or from everybody, since.
    const isOpen = server && inScope(caller.scope, server.name) && !app.config.quarantined(server);
    if (!answer || !isOpen || answer.owner !== ownerOf(caller))
      throw new Fault("invalid_args", {
        reason: `read_cache: no answer is kept under this key; answers are kept for ${KEPT_MS / 60_000} minutes at most, so call the tool again`,
      });
    if (offset >= answer.length)
      throw new Fault("invalid_args", {
        reason: `read_cache: offset ${offset} is beyond the end; the answer has ${answer.length} characters`,
      });
    const text = sliceOf(answer.pieces, offset, offset + (app.config.current().tool_response_limit || LIMIT));
    const next = offset + text.length;
    const end = next >= answer.length;
    const notice = end ? "[end of the answer]" : `[read on with offset ${next} of ${answer.length} characters]`;
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
