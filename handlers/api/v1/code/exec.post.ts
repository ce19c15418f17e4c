import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { traceEndpoint } from "#lib/core/api/trace-endpoint.ts";
import { exec } from "#lib/modules/code/exec.ts";
import { refusal } from "#lib/modules/code/refusal.ts";
import { readRequest } from "#lib/modules/code/request.ts";

const field = (description: string) => v.optional(v.pipe(v.unknown(), v.description(description)));

/** The error in an execution envelope. */
const Trouble = v.object({ code: v.string(), message: v.string(), stack: v.optional(v.string()) });
const Refused = v.object({ ok: v.literal(false), error: Trouble, request_id: v.string() });

/**
 * Runs JavaScript or TypeScript in the sandbox. The response is the bare execution envelope, not the general one; the
 * status of a script that throws is 200 (spec 001 §4.2, §7).
 */
export default endpoint("POST /api/v1/code/exec", {
  summary: "Execute code or a stored script",
  access: "read",
  body: v.object({
    code: field("source code; send either `code` or `script`"),
    script: field("name of a stored script; send either `code` or `script`"),
    language: field("javascript (default) or typescript"),
    input: field("object that the script sees as the global `input`"),
    options: field("{ timeout_ms, max_tool_calls, allowed_servers }"),
  }),
  data: v.object({ ok: v.boolean(), value: v.optional(v.unknown()), error: v.optional(Trouble) }),
  answers: {
    bare: true,
    others: { 400: Refused, 403: Refused, 404: Refused, 413: Refused, 415: Refused, 500: Refused },
  },
  refuseBody: (fault, requestId) => refused(refusal(fault)!, requestId),
  async run({ app, by, c, body, signal }) {
    try {
      const request = readRequest(body);
      const text = await traceEndpoint({ app, by, c }, "POST /api/v1/code/exec", async (observed) => {
        const done = await exec(app, by, request, { signal, ...(observed?.span && { span: observed.span }) });
        if (observed && !done.ok) observed.isToolError = true;
        return done.text;
      });
      return new Response(text, { headers: { "content-type": "application/json" } });
    } catch (error) {
      const found = refusal(error);
      if (!found) throw error;
      return refused(found, by.origin.requestId);
    }
  },
});

function refused({ status, error }: NonNullable<ReturnType<typeof refusal>>, request_id: string): Response {
  return Response.json({ ok: false, error, request_id }, { status });
}
