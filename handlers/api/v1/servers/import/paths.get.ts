import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { clientFiles } from "#lib/modules/connect/import/files.ts";

/** The configuration files of known clients, which are not opened (reference 9.3). */
export default endpoint("GET /api/v1/servers/import/paths", {
  summary: "List the configuration files of known clients",
  access: "admin",
  data: v.object({
    os: v.string(),
    paths: v.array(
      v.object({
        name: v.string(),
        format: v.pipe(v.string(), v.description("id of the client")),
        path: v.string(),
        exists: v.boolean(),
        os: v.string(),
        description: v.string(),
      }),
    ),
  }),
  async run({ app }) {
    const { machine } = app.boot;
    return { os: machine.platform, paths: await clientFiles(machine) };
  },
});
