import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { faultAnswer } from "#lib/core/api/fault-answer.ts";
import { PROGRESS_TYPE, progressStream } from "#lib/core/api/progress-stream.ts";
import { traceEndpoint } from "#lib/core/api/trace-endpoint.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { callUpstreamTool } from "#lib/core/gateway/call.ts";
import { type Progress, RpcError } from "#lib/core/schema/mcp.ts";
import { members } from "#lib/core/schema/members.ts";

const Arguments = v.pipe(members(v.unknown()), v.description("arguments of the tool, matching its input schema"));

/** Maximum size of the request, as for a tool call over MCP (bytes). */
const BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Calls an upstream tool as an MCP client would, under the caller's own rights. `data` contains the tool's result byte
 * for byte; a result with `isError` counts as success.
 *
 * A client that accepts JSON Lines gets the progress of the call, if the tool reports any, before the same body.
 */
export default endpoint("POST /api/v1/tools/call", {
  summary: "Call an upstream tool",
  access: "read",
  bodyLimit: BODY_LIMIT,
  answers: { types: [PROGRESS_TYPE] },
  body: v.object({
    tool_name: v.pipe(v.string(), v.minLength(1), v.description("server:tool")),
    arguments: v.optional(Arguments, {}),
  }),
  data: v.looseObject({
    content: v.optional(v.array(v.looseObject({ type: v.string() }))),
    structuredContent: v.optional(v.unknown()),
    isError: v.optional(v.boolean()),
  }),
  faults: [
    "tool_not_found",
    "tool_blocked",
    "arguments_mismatch",
    "sensitive_arguments",
    "arguments_unscanned",
    "output_blocked",
    "output_unscanned",
    "permission_denied",
    "server_not_ready",
    "user_connect_needed",
    "server_needs_user",
    "proxy_sign_in_needed",
    "server_access_denied",
    "server_access_unavailable",
    "credentials_off",
    "queue_full",
    "queue_timeout",
    "call_timeout",
    "upstream_failed",
  ],
  async run({ app, by, c, body, signal }) {
    const id = body.tool_name.trim();
    const call = async (signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<string> => {
      const request = { id, args: body.arguments, signal, ...(onProgress && { onProgress }) };
      try {
        const { raw } = await traceEndpoint({ app, by, c }, "POST /api/v1/tools/call", (observed) =>
          callUpstreamTool(app, by, { ...request, ...(observed && { observed }) }),
        );
        return `{"success":true,"data":${raw}}`;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        const server = id.slice(0, id.indexOf(":"));
        throw new Fault("upstream_failed", { server, reason: `${error.message} (${error.code})` }, { cause: error });
      }
    };
    if (!c.req.header("accept")?.includes(PROGRESS_TYPE))
      return new Response(await call(signal), { headers: { "content-type": "application/json" } });
    const onDefect = (error: unknown) => app.log.error("a tool call failed", { error });
    const failure = (error: unknown) =>
      JSON.stringify(faultAnswer(error, { requestId: by.origin.requestId, onDefect }).body);
    return progressStream({ signal, work: call, failure });
  },
});
