import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { DoctorFindingShape } from "#lib/core/schema/doctor-shapes.ts";
import { diagnose } from "#lib/modules/doctor/diagnose.ts";

const about = v.description;
const optional = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** A support bundle without secrets (spec 000 §4.6; reference 1.10). */
export default endpoint("GET /api/v1/diagnostics", {
  summary: "Collect diagnostics",
  access: "read",
  data: v.object({
    timestamp: v.string(),
    total_issues: v.pipe(v.number(), about("errors and warnings among the findings")),
    findings: v.array(DoctorFindingShape),
    program: v.object({
      version: v.string(),
      started_at: v.string(),
      uptime: v.pipe(v.number(), about("seconds")),
      node: v.string(),
      platform: v.string(),
      arch: v.string(),
      memory_mb: v.number(),
      routing_mode: v.string(),
      listen_addr: v.string(),
      pid: v.optional(v.number()),
      executable: optional("for administrators"),
      config_path: optional("for administrators"),
      socket: optional("for administrators"),
    }),
    upstreams: v.pipe(v.looseObject({}), about("counters and a summary of each server, as in the status")),
    upstream_errors: v.array(v.object({ server_name: v.string(), error_message: v.string(), timestamp: v.string() })),
    oauth_required: v.array(v.object({ server_name: v.string(), state: v.string(), message: v.string() })),
    oauth_issues: v.array(v.object({ server_name: v.string(), issue: v.string(), error: v.string() })),
    missing_secrets: v.array(
      v.object({
        secret_name: v.pipe(v.string(), about("secret reference")),
        used_by: v.pipe(v.array(v.string()), about("names of servers; an empty name means a setting of the proxy")),
      }),
    ),
    runtime_warnings: v.pipe(v.array(v.string()), about("findings that concern no particular server")),
    deprecated_configs: v.array(v.object({ field: v.string(), message: v.string(), replacement: v.string() })),
    docker_status: v.object({ available: v.boolean(), version: optional("engine"), error: optional("reason") }),
    recent_errors: v.pipe(v.array(ActivityEntryShape), about("latest records of failures, newest first")),
    log: v.pipe(v.array(v.string()), about("latest warnings and errors of the log; for administrators")),
  }),
  async run({ app, caller }) {
    const found = await diagnose(app, caller);
    return { ...found, upstreams: { ...found.upstreams } };
  },
});
