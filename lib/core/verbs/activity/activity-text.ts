type Facts = Readonly<Record<string, unknown>>;

/** Members of a record's metadata that name what a change was about. */
const THINGS = ["affected_entity", "client", "secret", "token", "profile", "registry", "user", "user_id"] as const;

/** The action of a record and its subject, such as `token_create ci`; empty when the record's type says enough. */
export function activityActionText(metadata: Facts = {}): string {
  const { action, verdict, outcome, fields } = metadata;
  const done = [action, verdict, outcome].find((word) => typeof word === "string");
  const about = [fields, ...THINGS.map((key) => metadata[key])].flat();
  return [done, ...about.filter((word) => typeof word === "string" && word !== "")].filter(Boolean).join(" ");
}

/** The MCP client that a record came from, by its own name; empty for anything else. */
export function activityClientText(metadata: Facts = {}): string {
  const { client_name: name, client_version: version } = metadata;
  return [name, version].filter((word) => typeof word === "string" && word !== "").join(" ");
}
