import * as v from "valibot";
import { defineConfig, restart } from "../../core/config/config-keys.ts";
import { integer } from "../../core/config/fields.ts";

const about = v.description;

export const AuditLog = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("write the audit log; absent: if `path` or `stdout` is set"))),
  stdout: v.optional(v.pipe(v.boolean(), about("write to standard output; not allowed with `--stdio`"))),
  path: v.optional(
    v.pipe(
      v.string(),
      about(
        "write to this file; takes precedence over `stdout`; absent, without `stdout`: `audit/audit.log` in the data directory",
      ),
    ),
  ),
  max_size_mb: v.optional(v.pipe(integer(1, 100_000), about("size at which the file is rotated (MB)")), 50),
  max_backups: v.optional(v.pipe(integer(0, 10_000), about("maximum number of rotated files")), 10),
  max_age_days: v.optional(
    v.pipe(integer(0, 36_500), about("days after which rotated files are deleted; 0: never")),
    90,
  ),
  compress: v.optional(v.pipe(v.boolean(), about("compress rotated files with gzip")), true),
});

/** The audit log. */
export const config = defineConfig(
  {
    audit_log: [
      v.optional(AuditLog),
      restart,
      "audit log: one JSON line for each authorization decision and each tool call",
    ],
  },
  { after: "logging" },
);
