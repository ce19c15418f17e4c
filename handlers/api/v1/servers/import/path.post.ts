import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ImportResult } from "#lib/core/schema/import-result.ts";
import { mayManage } from "#lib/core/verbs/servers/may-manage.ts";
import { absolute, clientAt, readConfiguration } from "#lib/modules/connect/import/files.ts";
import { importServers } from "#lib/modules/connect/import/import.ts";
import { flagsOf, format, importFlags, rename, serverNames } from "#lib/modules/connect/import/import-query.ts";

/** Imports the servers of a file on the proxy's machine (reference 1.12). */
export default endpoint("POST /api/v1/servers/import/path", {
  summary: "Import servers from a file of the proxy's machine",
  access: "admin",
  query: v.object(importFlags),
  body: v.object({
    path: v.pipe(
      v.string(),
      v.maxLength(4096),
      v.description("absolute path; `~/` is the home folder of the proxy's user"),
    ),
    format,
    server_names: serverNames,
    rename,
  }),
  data: ImportResult,
  faults: [
    "no_such_record",
    "file_denied",
    "body_too_large",
    "management_disabled",
    "config_broken",
    "secret_unwritable",
  ],
  async run({ app, query, body, by }) {
    mayManage(app, by, "add");
    const path = absolute(body.path, app.boot.machine);
    const text = await readConfiguration(path);
    const format = body.format ?? clientAt(path, app.boot.machine);
    const wishes = { format, names: body.server_names, rename: body.rename };
    return importServers(app, text, { ...flagsOf(query), ...wishes }, by);
  },
});
