import * as v from "valibot";

const about = v.description;

/** A masked configuration. The API reference describes it in full (`components.schemas.Configuration`). */
export const ShownConfig = v.looseObject({});

/** The configuration as a caller may see it, always masked (spec 000 §4.6). */
export const ShownSettings = v.object({
  config: ShownConfig,
  config_path: v.exactOptional(v.pipe(v.string(), about("for administrators"))),
  revision: v.pipe(v.string(), about("revision; send it or the ETag as `If-Match` with a change")),
  overrides: v.pipe(v.looseObject({}), about("values that the environment or the command line overrides")),
  pending_restart: v.pipe(v.array(v.string()), about("keys whose new value needs a restart")),
  unknown_keys: v.pipe(v.array(v.string()), about("unknown keys; the proxy preserves them")),
  problem: v.exactOptional(v.pipe(v.string(), about("error of the last edit by hand, if it was rejected"))),
});
export type ShownSettings = v.InferOutput<typeof ShownSettings>;
