import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { scriptsDir } from "#lib/modules/code/exec.ts";
import { Fault } from "#lib/modules/code/faults.ts";
import { listScripts } from "#lib/modules/code/scripts.ts";

/**
 * Lists stored scripts, for administrators. The status is advisory, because each run checks the file again (spec 001
 * §2.4).
 */
export default endpoint("GET /api/v1/code/scripts", {
  summary: "List stored scripts",
  access: "read",
  data: v.object({
    dir: v.pipe(v.string(), v.description("folder of stored scripts, even if it does not exist")),
    scripts: v.array(
      v.object({
        name: v.string(),
        paths: v.pipe(v.array(v.string()), v.description("path of the script; both candidates if ambiguous")),
        status: v.picklist(["ok", "ambiguous", "invalid"]),
        reason: v.optional(v.picklist(["empty", "oversized", "unreadable", "non-regular"])),
      }),
    ),
  }),
  faults: ["code_disabled", "scripts_admin_only"],
  async run({ app, caller }) {
    if (caller.tier !== "admin") throw new Fault("scripts_admin_only");
    if (!app.config.current().enable_code_execution) throw new Fault("code_disabled");
    const dir = scriptsDir(app);
    return { dir, scripts: await listScripts(dir) };
  },
});
