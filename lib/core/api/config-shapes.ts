import * as v from "valibot";
import { CONFIG_KEYS } from "../config/schema.ts";

const about = v.description;
const names = (description: string) => v.pipe(v.array(v.string()), about(description));

/** A whole configuration, or a part of one; judged by the configuration's own schema, which names every problem. */
export const Document = v.looseObject(
  Object.fromEntries(
    CONFIG_KEYS.map(({ key, description }) => [key, v.optional(v.pipe(v.unknown(), about(description)))]),
  ),
);

/** A configuration as it is shown, masked; the reference describes it as the file (`components.schemas.Configuration`). */
export const ShownConfig = v.looseObject({});

/** Largest document that is taken. (bytes) */
export const DOCUMENT_LIMIT = 4 << 20;

export const Problem = v.object({ field: v.pipe(v.string(), about("path of the key")), message: v.string() });

/** What a change of the configuration answers (reference 1.11). */
export const ChangeAnswer = v.object({
  success: v.literal(true),
  applied_immediately: v.pipe(v.boolean(), about("something changed, and all of it is in force")),
  requires_restart: v.pipe(v.boolean(), about("something of it waits for the next start")),
  restart_reason: v.optional(v.string()),
  message: v.pipe(v.string(), about("the same for people")),
  changed_fields: names("top-level keys that differ from before"),
  applied_fields: names("those of them that are in force"),
  restart_fields: names("those that wait for the next start"),
  overridden_fields: names("those that environment or command line say otherwise"),
  unknown_fields: names("those this program does not know; they are kept"),
  pending_restart: names("everything that waits, from earlier changes too"),
  revision: v.pipe(v.string(), about("the new ETag")),
});

export const Version = v.object({
  version: v.pipe(v.number(), about("counts up; send it to restore")),
  timestamp: v.pipe(v.string(), about("since when the file said so")),
  by: v.pipe(v.string(), about("who made it; `configuration file` for an edit by hand")),
  changed_fields: names("top-level keys that differ from the version before"),
});
