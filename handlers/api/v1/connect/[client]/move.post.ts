import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConnectConflict, ConnectDenied } from "#lib/core/schema/connect-shapes.ts";
import { moveOut } from "#lib/modules/connect/import/move.ts";

const about = v.description;

/**
 * Removes imported servers from a client's configuration. This is the second step of a move; the first is an import.
 */
export default endpoint("POST /api/v1/connect/{client}/move", {
  summary: "Remove the servers that the proxy manages from an MCP client's configuration",
  access: "admin",
  body: v.strictObject({
    server_names: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(256))),
      v.maxLength(1000),
      about("names, in the client, of the entries that may be removed"),
    ),
    preview: v.optional(v.pipe(v.boolean(), about("preview the removal after an import; nothing is changed")), false),
  }),
  data: v.object({
    client: v.string(),
    config_path: v.string(),
    preview: v.boolean(),
    removed: v.pipe(v.array(v.string()), about("names of the entries")),
    backup_path: v.optional(v.pipe(v.string(), about("path of the backup of the file, which an undo restores"))),
    message: v.string(),
  }),
  answers: { others: { 403: ConnectDenied, 409: ConnectConflict } },
  faults: ["no_such_record", "connect_conflict", "connect_refused", "connect_denied"],
  run: ({ app, params, body, by }) =>
    moveOut(app, params.client, { names: body.server_names, preview: body.preview }, by),
});
