import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { oneOfWords } from "../../core/config/fields.ts";

const about = v.description;

const Lock = v.looseObject({
  path: v.optional(v.pipe(v.string(), about("path of the lock file, relative to the folder of this file")), "mcp.lock"),
  enforce: v.optional(
    v.pipe(v.boolean(), about("hide and reject tools, prompts and resources that differ from the lock file")),
    false,
  ),
  allow: v.optional(
    v.pipe(
      v.array(oneOfWords(["cosmetic", "text", "narrowing", "widening"])),
      about("classes of differences that enforcement permits"),
    ),
    ["cosmetic"],
  ),
});

/** Configuration of the lock file. */
export const config = defineConfig(
  {
    lock: [v.optional(Lock, {}), hot, "the lock file and its enforcement (docs/lock.md)"],
  },
  { after: "allow_private_registry_fetch" },
);
