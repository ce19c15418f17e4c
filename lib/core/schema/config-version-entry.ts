import * as v from "valibot";

const about = v.description;

/** One stored version of the configuration file, without its content. */
export const ConfigVersionEntry = v.object({
  version: v.pipe(v.number(), about("version number; use it to restore the version")),
  timestamp: v.pipe(v.string(), about("time at which the version took effect")),
  by: v.pipe(v.string(), about("author; `configuration file` for an edit by hand")),
  changed_fields: v.pipe(v.array(v.string()), about("top-level keys that differ from the previous version")),
  changed_servers: v.optional(
    v.pipe(v.array(v.string()), about("names of the servers that differ from the previous version; only in lists")),
  ),
});
export type ConfigVersionEntry = v.InferOutput<typeof ConfigVersionEntry>;
