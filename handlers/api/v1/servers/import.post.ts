import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { readUpload } from "#lib/core/api/read-json-body.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { ImportResult } from "#lib/core/schema/import-result.ts";
import { decode, Malformed } from "#lib/modules/connect/document.ts";
import { IMPORT_LIMIT } from "#lib/modules/connect/import/files.ts";
import { importServers } from "#lib/modules/connect/import/import.ts";
import { flagsOf, format, importFlags } from "#lib/modules/connect/import/import-query.ts";

/** Imports the servers of an uploaded configuration (reference 1.12). */
export default endpoint("POST /api/v1/servers/import", {
  summary: "Import servers from an uploaded file",
  access: "admin",
  upload: "file",
  query: v.object({
    ...importFlags,
    format,
    server_names: v.optional(v.pipe(v.string(), v.description("only these servers, separated by commas"))),
  }),
  data: ImportResult,
  faults: ["body_too_large", "unsupported_media_type", "management_disabled", "config_broken", "secret_unwritable"],
  async run({ app, query, by, c }) {
    const text = textOf(await readUpload(c.req.raw, "file", IMPORT_LIMIT));
    const names = query.server_names?.split(",").flatMap((name) => name.trim() || []);
    return importServers(app, text, { ...flagsOf(query), format: query.format, names }, by);
  },
});

function textOf(bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof Malformed) throw new Fault("invalid_request", { reason: error.message });
    throw error;
  }
}
