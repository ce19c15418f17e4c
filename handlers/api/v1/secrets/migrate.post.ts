import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { plural } from "#lib/core/base/plural.ts";
import { migrate } from "#lib/modules/vault/migrate.ts";

const about = v.description;

/**
 * Moves secrets in clear text in server definitions to the keyring; by default it only reports them (reference 1.14).
 */
export default endpoint("POST /api/v1/secrets/migrate", {
  summary: "Move secrets out of the configuration file",
  access: "admin",
  body: v.object({
    server: v.optional(v.pipe(v.string(), about("only secrets of this server"))),
    apply: v.optional(v.pipe(v.boolean(), about("move the secrets; `false`: only report what would be moved")), false),
  }),
  data: v.object({
    analysis: v.object({
      candidates: v.array(
        v.object({
          server: v.string(),
          field: v.pipe(v.string(), about("path in the server's definition")),
          value: v.pipe(v.string(), about("masked")),
          name: v.pipe(v.string(), about("name of the secret")),
          backend: v.pipe(
            v.picklist(["keyring", "file"]),
            about("which store holds it, or would hold it: the system's keyring, or the encrypted file"),
          ),
          suggested: v.pipe(v.string(), about("reference that replaces it")),
        }),
      ),
      total_found: v.number(),
    }),
    dry_run: v.pipe(v.boolean(), about("`true`: nothing was moved")),
    timestamp: v.string(),
    message: v.string(),
  }),
  faults: ["server_not_found", "changed_meanwhile", "secret_unwritable", "config_unwritable", "management_disabled"],
  async run({ app, body, by }) {
    const candidates = await migrate(app, body, by);
    const what = plural(candidates.length, "secret");
    return {
      analysis: { candidates, total_found: candidates.length },
      dry_run: !body.apply,
      timestamp: rfc3339(app.clock.now()),
      message: body.apply ? `${what} moved out of the configuration file` : `${what} in the configuration file`,
    };
  },
});
