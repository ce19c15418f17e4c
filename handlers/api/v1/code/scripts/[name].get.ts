import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { scrubText } from "#lib/core/secrets/mask/text.ts";
import { scriptsDir } from "#lib/modules/code/exec.ts";
import { Fault } from "#lib/modules/code/faults.ts";
import { readScript } from "#lib/modules/code/scripts.ts";

/** One stored script as it would run now, for administrators; no endpoint changes scripts (spec 001 §2.4). */
export default endpoint("GET /api/v1/code/scripts/{name}", {
  summary: "Show one stored script",
  access: "read",
  data: v.object({
    name: v.string(),
    language: v.picklist(["javascript", "typescript"]),
    source: v.pipe(v.string(), v.description("source text, with apparent secrets masked")),
    masked: v.pipe(v.boolean(), v.description("parts are masked, so this text differs from the file")),
  }),
  faults: ["code_disabled", "scripts_admin_only", "script_name", "script_not_found", "script_unusable"],
  async run({ app, caller, params }) {
    if (caller.tier !== "admin") throw new Fault("scripts_admin_only");
    if (!app.config.current().enable_code_execution) throw new Fault("code_disabled");
    const { name, language, source } = await readScript(scriptsDir(app), params.name, "paths");
    const maskedSource = scrubText(source);
    return { name, language, source: maskedSource, masked: maskedSource !== source };
  },
});
