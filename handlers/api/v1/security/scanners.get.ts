import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { list } from "#lib/scanner/scanners.ts";

/** Scanners built in and those of the configuration (`security.scanners`). */
export default endpoint("GET /api/v1/security/scanners", {
  summary: "List the scanners",
  access: "admin",
  data: v.object({
    scanners: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        description: v.string(),
        kind: v.picklist(["built-in", "container"]),
        inputs: v.pipe(v.array(v.string()), v.description("what it reads: tools, definition, source")),
        docker_image: v.optional(v.string()),
        enabled: v.boolean(),
        status: v.picklist(["available", "disabled", "unavailable"]),
        error_message: v.optional(v.string()),
      }),
    ),
  }),
  run: async ({ app }) => ({ scanners: await list(app) }),
});
