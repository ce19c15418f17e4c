import * as v from "valibot";
import { members } from "../../../core/schema/members.ts";
import { CLIENTS } from "../clients.ts";
import type { ImportOptions } from "./import.ts";

const about = v.description;
const flag = (description: string) => v.optional(v.pipe(v.picklist(["true", "false"]), about(description)));

/** The query parameters of every import endpoint (reference 1.12). */
export const importFlags = {
  preview: flag("report what would be done, without doing it"),
  skip_quarantine: flag("skip the quarantine of the imported servers"),
  secrets_to_keyring: flag("store apparent secrets in the keyring and replace them by references"),
};

export const format = v.optional(
  v.pipe(
    v.string(),
    about(`json, toml, yaml or a client: ${CLIENTS.map(({ id }) => id).join(", ")}; default: detected`),
  ),
);
const name = v.pipe(v.string(), v.maxLength(256));
export const serverNames = v.optional(
  v.pipe(v.array(name), v.maxLength(1000), about("only these servers, by their names in the file")),
);
export const rename = v.optional(
  v.pipe(members(name, name), about("new names, by the names in the file; use them to resolve name conflicts")),
);

type Flags = { [K in keyof typeof importFlags]?: "true" | "false" | undefined };

/** Converts the query parameters into options; an absent flag is false. */
export const flagsOf = (query: Flags): Pick<ImportOptions, "preview" | "skipQuarantine" | "secretsToKeyring"> => ({
  preview: query.preview === "true",
  skipQuarantine: query.skip_quarantine === "true",
  secretsToKeyring: query.secrets_to_keyring === "true",
});
