import * as v from "valibot";

const about = v.description;

/** The result of an import or of its preview (reference 1.12). */
export const ImportResult = v.object({
  preview: v.pipe(v.boolean(), about("`true`: nothing was changed")),
  format: v.pipe(v.string(), about("id of a client, or json, toml or yaml")),
  format_name: v.string(),
  summary: v.object({ total: v.number(), imported: v.number(), skipped: v.number(), failed: v.number() }),
  imported: v.pipe(
    v.array(
      v.object({
        name: v.string(),
        protocol: v.string(),
        command: v.optional(v.string()),
        args: v.optional(v.array(v.string())),
        url: v.optional(v.string()),
        enabled: v.boolean(),
        quarantined: v.boolean(),
        source_format: v.string(),
        original_name: v.string(),
        fields_skipped: v.pipe(v.array(v.string()), about("keys of the entry that the proxy does not support")),
        secrets: v.pipe(
          v.array(
            v.object({
              field: v.string(),
              stored_as: v.optional(v.string()),
              backend: v.optional(v.picklist(["keyring", "file"])),
            }),
          ),
          about(
            "values that look like secrets; `stored_as` names those that are stored as secrets, `backend` the store: the system's keyring, or the encrypted file",
          ),
        ),
        warnings: v.array(v.string()),
      }),
    ),
    about("servers that were added, or would be"),
  ),
  skipped: v.array(
    v.object({
      name: v.string(),
      reason: v.picklist(["already_exists", "duplicate", "filtered_out", "invalid_name", "not_a_server", "own_entry"]),
      detail: v.string(),
    }),
  ),
  failed: v.pipe(v.array(v.object({ name: v.string(), error: v.string() })), about("entries that cannot be imported")),
  warnings: v.array(v.string()),
});
export type ImportResult = v.InferOutput<typeof ImportResult>;
