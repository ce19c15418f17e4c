type Facts = Readonly<Record<string, unknown>>;

/** Members of a record's metadata that name the subject of the action. */
const THINGS = ["affected_entity", "client", "secret", "token", "profile", "registry", "user", "user_id"] as const;

/**
 * Returns the action of a record and its subject, such as `token_create ci`; empty if the type of the record says it
 * all.
 */
export function activityActionText(metadata: Facts = {}): string {
  const { action, verdict, outcome, fields } = metadata;
  const done = [action, verdict, outcome].find((word) => typeof word === "string");
  const about = [fields, ...THINGS.map((key) => metadata[key])].flat();
  return [done, ...about.filter((word) => typeof word === "string" && word !== "")].filter(Boolean).join(" ");
}

/** Returns the MCP client that caused a record, by the name that it sent; empty for other records. */
export function activityClientText(metadata: Facts = {}): string {
  const { client_name: name, client_version: version } = metadata;
  return [name, version].filter((word) => typeof word === "string" && word !== "").join(" ");
}
