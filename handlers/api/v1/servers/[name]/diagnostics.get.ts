import * as v from "valibot";
import { run } from "#lib/doctor/run.ts";
import { FindingShape } from "#lib/http/doctor-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { find } from "#lib/servers/find.ts";
import { record } from "#lib/servers/record.ts";
import { ServerRecord } from "#lib/shape/server-record.ts";

const about = v.description;

/** What is wrong with one server, and what to do about it (reference 1.2). */
export default endpoint("GET /api/v1/servers/{name}/diagnostics", {
  summary: "Check the health of one server",
  access: "read",
  data: v.object({
    server: v.string(),
    connected: v.boolean(),
    status: ServerRecord.entries.status,
    health: ServerRecord.entries.health,
    findings: v.pipe(v.array(FindingShape), about("what `GET /api/v1/doctor` finds about this server")),
    catalog_size: v.pipe(v.number(), about("tools that are known of it")),
  }),
  faults: ["server_not_found"],
  async run({ app, params, caller }) {
    const server = find(app, params.name, caller);
    const { name } = server;
    await readStandings(app, caller, [server]);
    const { connected, status, health, tool_count } = record(app, name, caller);
    const findings = (await run(app, caller)).filter((finding) => finding.server === name);
    return { server: name, connected, status, health, findings, catalog_size: tool_count };
  },
});
