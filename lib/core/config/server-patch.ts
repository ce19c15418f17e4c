import * as v from "valibot";
import { members } from "../schema/members.ts";
import { type FieldsWith, type FieldValue, fieldsWith, type ServerField } from "../schema/server-config-fields.ts";
import { IsolationConfig, OAuthConfig } from "./server-config.ts";

const about = v.description;

function namesOf(entries: v.ObjectEntries) {
  const optional = (schema: unknown) => {
    const text = v.getDescription(inner(schema as Wrapping));
    return v.optional(text === undefined ? v.unknown() : v.pipe(v.unknown(), about(text)));
  };
  return Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, optional(schema)]));
}

type Wrapping = v.GenericSchema & { readonly wrapped?: Wrapping };
const inner = (schema: Wrapping): v.GenericSchema => (schema.wrapped ? inner(schema.wrapped) : schema);

/** Parts of a server's entry whose values are checked by the schema of the configuration, after the merge. */
const PARTS: Readonly<Record<string, { readonly entries: v.ObjectEntries }>> = {
  oauth: OAuthConfig,
  isolation: IsolationConfig,
};

type Patchable = FieldsWith<"patch">;

/**
 * The fields of a server that a request may set (spec 000 §4.2): an absent field keeps its value, null removes it.
 * Ranges and combinations are checked after the merge by the schema of the configuration.
 */
export const serverPatchFields = Object.fromEntries(
  fieldsWith("patch").map(([name, field]) => [name, v.nullish(patchSchema(name, field))]),
) as { [K in keyof Patchable]: v.NullishSchema<v.GenericSchema<FieldValue<Patchable[K], string | null>>, undefined> };

function patchSchema(name: keyof Patchable, field: ServerField): v.GenericSchema {
  const text = field.patch === true || field.patch === undefined ? field.about : field.patch;
  switch (field.kind) {
    case "flag":
      return v.pipe(v.boolean(), about(text));
    case "count":
      return v.pipe(v.number(), about(text));
    case "list":
      return v.pipe(v.array(v.string()), about(text));
    case "map":
      return v.pipe(
        members(v.nullable(v.string())),
        about(`${text}; a string sets a key, null deletes it, absent keys stay unchanged`),
      );
    case "object":
      return v.pipe(
        v.object(namesOf(PARTS[name]?.entries ?? {})),
        about(`${text}; deep-merged; null removes a member`),
      );
    default:
      return v.pipe(v.string(), about(text));
  }
}

/**
 * The same fields over REST, where flags and arguments cannot be null (spec 000 §4.2): a client that sends null for "no
 * value" would remove `enabled` and so start a disabled server.
 */
export const RestServerPatch = v.object({
  name: v.optional(v.pipe(v.string(), about("same name as in the path; a server cannot be renamed"))),
  ...serverPatchFields,
  enabled: v.optional(serverPatchFields.enabled.wrapped),
  quarantined: v.optional(serverPatchFields.quarantined.wrapped),
  args: v.optional(serverPatchFields.args.wrapped),
});

export const ServerPatch = v.object(serverPatchFields);
export type RestServerPatch = v.InferOutput<typeof RestServerPatch>;
export type ServerPatch = v.InferOutput<typeof ServerPatch>;

export const NewServer = v.object({
  name: v.pipe(v.string(), about("unique name; the first part of a tool's id `name:tool`")),
  ...serverPatchFields,
});
export type NewServer = v.InferOutput<typeof NewServer>;
