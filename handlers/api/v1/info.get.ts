import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { word } from "#lib/core/api/query.ts";
import { schemeOf, webUrl } from "#lib/core/api/web-url.ts";
import { UpdatePolicy, UpdateShape } from "#lib/core/schema/update-shape.ts";
import { updatePolicy } from "#lib/modules/update/policy.ts";
import { updates } from "#lib/modules/update/state.ts";

/** Version, addresses and update state of the proxy (spec 000 §2.7). */
export default endpoint("GET /api/v1/info", {
  summary: "Report version, addresses and update policy",
  access: "read",
  query: v.object({ refresh: word(["true", "false"], "`true`: check for an update now") }),
  data: v.object({
    version: v.string(),
    web_ui_url: v.pipe(v.string(), v.description("empty without a TCP listener")),
    listen_addr: v.string(),
    endpoints: v.object({
      http: v.string(),
      socket: v.pipe(
        v.string(),
        v.description("path of the local socket or name of the pipe; empty for other callers than administrators"),
      ),
    }),
    launched_by: v.picklist(["", "tray", "installer"]),
    pid: v.pipe(v.number(), v.description("process id; 0 for other callers than administrators")),
    update_policy: UpdatePolicy,
    update: v.optional(
      v.pipe(
        v.nullable(UpdateShape),
        v.description("absent if update checks are disabled; null before the first check"),
      ),
    ),
  }),
  async run({ app, caller, query }) {
    const { version, listenAddr, socketPath, launchedBy } = app.boot;
    const policy = updatePolicy(app.boot, app.config.current().update_check);
    // Only administrators see paths on this machine. A read-only caller must not cause a request to the update server.
    const isAdmin = caller.tier === "admin";
    const refresh = query.refresh === "true" && isAdmin;
    const update = refresh ? await app.part(updates).refresh() : app.part(updates).latest();
    return {
      version,
      web_ui_url: listenAddr === "" ? "" : `${webUrl(listenAddr, schemeOf(app.config.current()))}/ui/`,
      listen_addr: listenAddr,
      endpoints: { http: listenAddr, socket: isAdmin ? socketPath : "" },
      launched_by: launchedBy,
      pid: isAdmin ? process.pid : 0,
      update_policy: policy,
      ...(policy.enabled && { update }),
    };
  },
});
