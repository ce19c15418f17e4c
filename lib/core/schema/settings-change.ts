import * as v from "valibot";

const about = v.description;
const names = (description: string) => v.pipe(v.array(v.string()), about(description));

/** The response to a change of the configuration (reference 1.11). */
export const SettingsChange = v.object({
  success: v.literal(true),
  applied_immediately: v.pipe(v.boolean(), about("all changes are in force")),
  requires_restart: v.pipe(v.boolean(), about("at least one change needs a restart")),
  restart_reason: v.optional(v.string()),
  message: v.pipe(v.string(), about("the same in words")),
  changed_fields: names("top-level keys that changed"),
  applied_fields: names("changed keys that are in force"),
  restart_fields: names("changed keys that need a restart"),
  overridden_fields: names("changed keys that the environment or the command line overrides"),
  unknown_fields: names("unknown keys; the proxy preserves them"),
  pending_restart: names("all keys that wait for a restart, including those of earlier changes"),
  revision: v.pipe(v.string(), about("new ETag")),
});
export type SettingsChange = v.InferOutput<typeof SettingsChange>;
