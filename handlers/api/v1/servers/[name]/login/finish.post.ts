import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LoginRefused, LoginStatus } from "#lib/core/schema/login.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";
import { acceptAnswer } from "#lib/modules/oauth/login/accept-answer.ts";
import { readPastedResponse } from "#lib/modules/oauth/login/read-pasted-response.ts";
import { status } from "#lib/modules/oauth/login/status.ts";

/** Finishes a sign-in whose browser cannot return to the proxy, because it runs on another machine. */
export default endpoint("POST /api/v1/servers/{name}/login/finish", {
  summary: "Finish a sign-in with the URL of the browser's redirect",
  access: "admin",
  body: v.object({
    redirect_url: v.pipe(v.string(), v.description("complete URL with code and state, or its query string")),
  }),
  data: LoginStatus,
  faults: ["server_not_found", "code_flow_failed"],
  answers: { others: { 400: LoginRefused } },
  async run({ app, params, body, caller }) {
    findServer(app, params.name, caller);
    await acceptAnswer(app, readPastedResponse(body.redirect_url), { server: params.name });
    return await status(app, params.name, caller);
  },
});
