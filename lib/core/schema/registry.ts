import * as v from "valibot";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** One registry of installable servers in a list (spec 000 §4.4; reference 10.1). */
export const RegistryRecord = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  url: v.pipe(v.string(), about("URL of its web page; empty if unknown")),
  servers_url: v.pipe(v.string(), about("where its list is")),
  tags: v.array(v.string()),
  protocol: v.string(),
  count: v.pipe(v.number(), about("number of its servers in the cache")),
  requires_key: v.optional(v.pipe(v.boolean(), about("the registry requires a key"))),
  provenance: v.pipe(v.picklist(["official", "custom"]), about("`official` for a built-in registry, else `custom`")),
  trusted: v.pipe(v.boolean(), about("the registry is built in; this does not vouch for its servers")),
});
export type RegistryRecord = v.InferOutput<typeof RegistryRecord>;

/** An input value that the person who installs a server provides. */
export const InputRecord = v.object({
  name: v.pipe(v.string(), about("name of the input")),
  description: v.string(),
  secret: v.pipe(v.boolean(), about("the value is stored in the keyring")),
  choices: v.optional(v.pipe(v.array(v.string()), about("permitted values"))),
});
export type InputRecord = v.InferOutput<typeof InputRecord>;

/** One installable server as a registry describes it (reference 10.2). */
export const ListedServer = v.object({
  id: v.pipe(v.string(), about("id for adding the server")),
  name: v.string(),
  description: v.string(),
  version: v.optional(v.pipe(v.string(), about("version that would be installed"))),
  registry: v.pipe(v.string(), about("registry that lists the server")),
  kind: v.optional(v.pipe(v.string(), about("kind of package: npm, pypi, oci, nuget or remote"))),
  url: text("its page"),
  source_code_url: text("URL of its repository"),
  install_cmd: text("command that would be run, with inputs in angle brackets; absent for remote servers"),
  connect_url: text("URL, for remote servers"),
  required_inputs: v.pipe(v.array(InputRecord), about("inputs needed to add it")),
  optional_inputs: v.pipe(v.array(InputRecord), about("optional inputs")),
  not_installable: text("reason why it cannot be added"),
  status: text("status, such as deprecated; absent for a current server"),
  tags: v.array(v.string()),
  created_at: text("as the registry states it"),
  updated_at: text("as the registry states it"),
  added: v.pipe(v.array(v.string()), about("names of configured servers added from it")),
  findings: v.optional(
    v.pipe(
      v.array(
        v.object({
          rule: v.string(),
          severity: v.picklist(["critical", "high", "medium", "low", "info"]),
          location: v.string(),
          explanation: v.string(),
        }),
      ),
      about("findings of the offline scan in its texts; absent if there are none"),
    ),
  ),
  withheld: v.optional(
    v.pipe(
      v.literal(true),
      about("its texts are shown to administrators only, for findings of severity high or critical"),
    ),
  ),
});
export type ListedServer = v.InferOutput<typeof ListedServer>;

/** The response to a search in one registry. */
export const RegistrySearch = v.object({
  registry_id: v.string(),
  servers: v.array(ListedServer),
  total: v.pipe(v.number(), about("number of matches, of which at most `limit` are returned")),
  limit: v.optional(v.pipe(v.number(), about("applied limit"))),
  next_cursor: v.optional(v.pipe(v.string(), about("cursor of the next page; absent on the last page"))),
  query: v.string(),
  tag: v.string(),
  cache: v.pipe(
    v.object({
      age_seconds: v.pipe(v.number(), about("time since the registry was queried")),
      stale: v.pipe(v.boolean(), about("the data is older than an hour, and the registry cannot be reached")),
    }),
    about("age of the data"),
  ),
  skipped: v.optional(v.pipe(v.number(), about("number of invalid entries that were omitted"))),
  unavailable: v.optional(
    v.pipe(
      v.object({ reason: v.string() }),
      about("the registry cannot be reached; the response comes from the cache"),
    ),
  ),
});
export type RegistrySearch = v.InferOutput<typeof RegistrySearch>;

/** A server added from a registry (spec 000 §2.7), with secrets masked. */
export const InstalledServer = v.object({
  name: v.string(),
  protocol: v.string(),
  command: text("program"),
  args: v.optional(v.array(v.string())),
  url: text("address"),
  enabled: v.boolean(),
  quarantined: v.boolean(),
  held: v.optional(v.pipe(v.literal(true), about("the proxy does not start it until an administrator confirms it"))),
  source_registry_id: text("registry that the server came from"),
  source_registry_version: text("installed version"),
  secrets: v.pipe(v.array(v.string()), about("names of its secrets in the keyring")),
});
export type InstalledServer = v.InferOutput<typeof InstalledServer>;
