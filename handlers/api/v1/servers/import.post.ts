import * as v from "valibot";
import { Fault } from "#lib/base/fault.ts";
import { decode, Malformed } from "#lib/connect/document.ts";
import { readUpload } from "#lib/http/body.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { flagsOf, format, importFlags } from "#lib/http/import-query.ts";
import { IMPORT_LIMIT } from "#lib/import/files.ts";
import { importServers } from "#lib/import/import.ts";
import { ImportResult } from "#lib/shape/import-result.ts";

/** Takes over the servers of an uploaded configuration (reference 1.12). */
export default endpoint("POST /api/v1/servers/import", {
  summary: "Import servers from an uploaded file",
  access: "admin",
  upload: "file",
  query: v.object({
    ...importFlags,
    format,
    server_names: v.optional(v.pipe(v.string(), v.description("only these, with commas between"))),
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
