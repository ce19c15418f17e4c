import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { oneOfWords } from "../../core/config/fields.ts";

const about = v.description;

const UpdateCheck = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("check for new releases")), true),
  channel: v.optional(
    v.pipe(oneOfWords(["stable", "rc"]), about("release channel that a development build compares itself with")),
    "stable",
  ),
  source: v.optional(
    v.pipe(
      v.string(),
      about("URL or file of a JSON list of releases in the format of the GitHub API; absent: no checks"),
    ),
  ),
  public_key: v.optional(
    v.pipe(
      v.string(),
      about(
        "Ed25519 key that signs releases, as PEM or as base64 of its DER form; `proxy upgrade` verifies releases with it; absent: the key of the build",
      ),
    ),
  ),
});

/** Configuration of the check for new releases. */
export const config = defineConfig(
  {
    update_check: [v.optional(UpdateCheck, {}), hot, "check for new releases"],
  },
  { after: "allow_private_registry_fetch" },
);
