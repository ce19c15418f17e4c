import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LoginRefused, LoginStarted } from "#lib/core/schema/login.ts";
import { login } from "#lib/modules/oauth/login/login.ts";

/** Begins a sign-in, which a browser finishes, or a person who pastes the URL at which it ended (`login/finish`). */
export default endpoint("POST /api/v1/servers/{name}/login", {
  summary: "Start a sign-in to a server",
  access: "admin",
  query: v.object({
    open: v.optional(
      v.pipe(v.picklist(["true", "false"]), v.description("open the browser on the proxy's machine (default: false)")),
    ),
  }),
  data: LoginStarted,
  faults: [
    "server_not_found",
    "server_disabled",
    "metadata_discovery_failed",
    "client_id_required",
    "dcr_failed",
    "code_flow_failed",
    "oauth_not_supported",
    "secret_missing",
    "cancelled",
  ],
  answers: { others: { 400: LoginRefused } },
  run: ({ app, params, query, by, signal, c }) =>
    login(app, params.name, by, { open: query.open === "true", base: baseUrl(c, app), signal }),
});
