import * as v from "valibot";
import { members } from "../../../core/schema/members.ts";
import { CLIENTS } from "../clients.ts";
import type { ImportOptions } from "./import.ts";

const about = v.description;
const flag = (description: string) => v.optional(v.pipe(v.picklist(["true", "false"]), about(description)));

/** What every way to import takes in its address (reference 1.12). */
export const importFlags = {
  preview: flag("say what would be done, and do nothing"),
  skip_quarantine: flag("use the servers at once instead of waiting for a person to look at them"),
  secrets_to_keyring: flag("keep what looks like a secret in the keyring, with a reference in its place"),
};

export const format = v.optional(
  v.pipe(
    v.string(),
    about(`json, toml, yaml or a client: ${CLIENTS.map(({ id }) => id).join(", ")}; found out when left out`),
  ),
);
const name = v.pipe(v.string(), v.maxLength(256));
export const serverNames = v.optional(
  v.pipe(v.array(name), v.maxLength(1000), about("only these, as the file calls them")),
);
export const rename = v.optional(
  v.pipe(members(name, name), about("other names, by those in the file; a clash is resolved so")),
);

type Flags = { [K in keyof typeof importFlags]?: "true" | "false" | undefined };

export const flagsOf = (query: Flags): Pick<ImportOptions, "preview" | "skipQuarantine" | "secretsToKeyring"> => ({
  preview: query.preview === "true",
  skipQuarantine: query.skip_quarantine === "true",
  secretsToKeyring: query.secrets_to_keyring === "true",
});
