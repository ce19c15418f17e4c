import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { clamped, offset } from "#lib/core/api/query.ts";
import { ScannedFiles } from "#lib/core/schema/scanned-files.ts";
import { scanFiles } from "#lib/modules/scan/files.ts";

const about = v.description;

/** The files of the server's program that the last scan read, those with findings first. */
export default endpoint("GET /api/v1/servers/{name}/scan/files", {
  summary: "List the files that a scan read",
  access: "admin",
  query: v.object({
    suspicious_only: v.optional(v.pipe(v.picklist(["true", "false"]), about("only files with findings")), "false"),
    limit: clamped(1, 1000, 100),
    offset: offset(),
  }),
  data: ScannedFiles,
  faults: ["server_not_found", "no_such_record"],
  run({ app, params, query: { suspicious_only, ...page }, caller }) {
    return scanFiles(app, params.name, { ...page, suspicious: suspicious_only === "true" }, caller);
  },
});
