import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ImportResult } from "#lib/core/schema/import-result.ts";
import { IMPORT_LIMIT } from "#lib/modules/connect/import/files.ts";
import { importServers } from "#lib/modules/connect/import/import.ts";
import { flagsOf, format, importFlags, rename, serverNames } from "#lib/modules/connect/import/import-query.ts";

/** Imports the servers of a configuration given as text (reference 1.12). */
export default endpoint("POST /api/v1/servers/import/json", {
  summary: "Import servers from a configuration",
  access: "admin",
  query: v.object(importFlags),
  body: v.object({
    content: v.pipe(
      v.string(),
      v.description("text of the configuration: JSON with or without comments, TOML or YAML"),
    ),
    format,
    server_names: serverNames,
    rename,
  }),
  bodyLimit: IMPORT_LIMIT,
  data: ImportResult,
  faults: ["management_disabled", "config_broken", "secret_unwritable"],
  run: ({ app, query, body, by }) =>
    importServers(
      app,
      body.content,
      { ...flagsOf(query), format: body.format, names: body.server_names, rename: body.rename },
      by,
    ),
});
