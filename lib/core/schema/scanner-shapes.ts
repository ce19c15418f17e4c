import * as v from "valibot";

const about = v.description;

/** A scanner in a list. */
export const ScannerShape = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  kind: v.picklist(["built-in", "container"]),
  inputs: v.pipe(v.array(v.string()), about("what it reads: tools, definition, source")),
  docker_image: v.optional(v.string()),
  configured_env: v.optional(
    v.pipe(v.record(v.string(), v.string()), about("environment of its container, with masked secrets")),
  ),
  network: v.optional(v.pipe(v.boolean(), about("its container has network access"))),
  timeout: v.optional(v.string()),
  enabled: v.boolean(),
  status: v.picklist(["available", "disabled", "unavailable"]),
  error_message: v.optional(v.string()),
});
