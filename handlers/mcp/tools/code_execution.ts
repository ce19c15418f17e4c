import * as v from "valibot";
import { isCodeOn } from "#lib/core/mcp/instructions.ts";
import { type Passthrough, tool } from "#lib/core/mcp/tool.ts";
import { members } from "#lib/core/schema/members.ts";
import { exec } from "#lib/modules/code/exec.ts";
import { refusal } from "#lib/modules/code/refusal.ts";
import { readRequest } from "#lib/modules/code/request.ts";

/** Runs a script that calls tools, by the same code as `POST /api/v1/code/exec` (spec 001 §2.3, §7). */
export default tool("code_execution", {
  title: "Run a script that calls tools",
  description:
    "Runs JavaScript or TypeScript that calls tools of the connected MCP servers, and returns one value. In the script: input, call_tool(server, tool, args), call_tools([{ server, tool, args }], { max_parallel }), console.log. Both calls are synchronous and return { ok, result } or { ok, error }. The last expression, or a top-level return, is the value.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  searchHint: "run a script that calls several tools; loops, combine results",
  alwaysLoad: true,
  listed: isCodeOn,
  // `readRequest` validates the input for REST and MCP alike and reports errors in the envelope. Clients see this
  // schema.
  input: members(v.unknown()),
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", description: "source code; set either code or script" },
      script: { type: "string", description: "name of a stored script; set either code or script" },
      language: {
        type: "string",
        enum: ["javascript", "typescript"],
        description: "default: javascript; for a stored script, its file extension decides",
      },
      input: { type: "object", description: "value of the script's global variable input" },
      options: {
        type: "object",
        properties: {
          timeout_ms: { type: "integer", minimum: 1, maximum: 600_000 },
          max_tool_calls: { type: "integer", minimum: 0, description: "0: unlimited" },
          allowed_servers: { type: "array", items: { type: "string" }, description: "empty: all" },
        },
      },
    },
  },
  async run({ app, caller, origin, input, signal, onProgress, logs, asking, ask, completed, observed }) {
    const { capabilities } = asking ?? {};
    const surroundings = {
      signal,
      ...(onProgress && { onProgress }),
      ...(logs && { logs }),
      ...(observed?.span && { span: observed.span }),
      ...(capabilities && ask && { client: { capabilities, ask, ...(completed && { completed }) } }),
    };
    try {
      const { ok, text } = await exec(app, { caller, origin }, readRequest(input), surroundings);
      if (observed && !ok) observed.isToolError = true;
      return envelope(text, ok);
    } catch (error) {
      const refused = refusal(error);
      if (!refused) throw error;
      if (observed) observed.isToolError = true;
      return envelope(JSON.stringify({ ok: false, error: refused.error }), false);
    }
  },
});

/** The execution envelope as the one text block of a result; a failed execution is an error result. */
function envelope(text: string, ok: boolean): Passthrough {
  const result = { content: [{ type: "text", text }], ...(!ok && { isError: true }) };
  return { passthrough: { result, raw: JSON.stringify(result) } };
}
