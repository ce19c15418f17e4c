import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { DoctorFindingShape } from "#lib/core/schema/doctor-shapes.ts";
import { ServerRecord } from "#lib/core/schema/server-record.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";
import { serverRecord } from "#lib/core/verbs/servers/record.ts";
import { runChecks } from "#lib/modules/doctor/run-checks.ts";
import { readStandings } from "#lib/modules/scan/standing.ts";

const about = v.description;

/** The problems of one server, with remedies (reference 1.2). */
export default endpoint("GET /api/v1/servers/{name}/diagnostics", {
  summary: "Check the health of one server",
  access: "read",
  data: v.object({
    server: v.string(),
    connected: v.boolean(),
    status: ServerRecord.entries.status,
    health: ServerRecord.entries.health,
    findings: v.pipe(v.array(DoctorFindingShape), about("what `GET /api/v1/doctor` finds about this server")),
    catalog_size: v.pipe(v.number(), about("number of known tools")),
  }),
  faults: ["server_not_found"],
  async run({ app, params, caller }) {
    const server = findServer(app, params.name, caller);
    const { name } = server;
    await readStandings(app, caller, [server]);
    const { connected, status, health, tool_count } = serverRecord(app, name, caller);
    const findings = (await runChecks(app, caller)).filter((finding) => finding.server === name);
    return { server: name, connected, status, health, findings, catalog_size: tool_count };
  },
});
