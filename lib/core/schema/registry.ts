import * as v from "valibot";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** One source of installable servers as it is shown (spec 000 §4.4; reference 10.1). */
export const RegistryRecord = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  url: v.pipe(v.string(), about("its page; empty when not known")),
  servers_url: v.pipe(v.string(), about("where its list is")),
  tags: v.array(v.string()),
  protocol: v.string(),
  count: v.pipe(v.number(), about("servers of it that are known here, without asking it")),
  requires_key: v.optional(v.pipe(v.boolean(), about("it is not asked without a key"))),
  provenance: v.pipe(v.picklist(["official", "custom"]), about("official: built in")),
  trusted: v.pipe(v.boolean(), about("built in; says nothing about the servers in it")),
});
export type RegistryRecord = v.InferOutput<typeof RegistryRecord>;

/** A value that whoever installs a server gives. */
export const InputRecord = v.object({
  name: v.pipe(v.string(), about("under which it is given")),
  description: v.string(),
  secret: v.pipe(v.boolean(), about("it goes into the keyring")),
  choices: v.optional(v.pipe(v.array(v.string()), about("the values it may have"))),
});
export type InputRecord = v.InferOutput<typeof InputRecord>;

/** One installable server as a registry describes it (reference 10.2). */
export const ListedServer = v.object({
  id: v.pipe(v.string(), about("give it to add it")),
  name: v.string(),
  description: v.string(),
  version: v.optional(v.pipe(v.string(), about("what would be installed"))),
  registry: v.pipe(v.string(), about("where it was found")),
  kind: v.optional(v.pipe(v.string(), about("what would be run: npm, pypi, oci, nuget, or remote"))),
  url: text("its page"),
  source_code_url: text("its repository"),
  install_cmd: text("what would be run, with the inputs in angle brackets; absent for remote servers"),
  connect_url: text("what would be connected to, for remote servers"),
  required_inputs: v.pipe(v.array(InputRecord), about("what adding it asks for")),
  optional_inputs: v.pipe(v.array(InputRecord), about("what may be given beside")),
  not_installable: text("why it cannot be added"),
  status: text("such as deprecated; absent while all is well"),
  tags: v.array(v.string()),
  created_at: text("as the registry says"),
  updated_at: text("as the registry says"),
  added: v.pipe(v.array(v.string()), about("configured servers that were made of it")),
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
      about("what the offline scan found in its texts; absent: nothing"),
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

/** What a search in one registry answers. */
export const RegistrySearch = v.object({
  registry_id: v.string(),
  servers: v.array(ListedServer),
  total: v.pipe(v.number(), about("how many fit, of which `limit` are given")),
  limit: v.optional(v.pipe(v.number(), about("the limit that was applied"))),
  next_cursor: v.optional(v.pipe(v.string(), about("asks for the next page; absent on the last"))),
  query: v.string(),
  tag: v.string(),
  cache: v.pipe(
    v.object({
      age_seconds: v.pipe(v.number(), about("since the registry was asked this")),
      stale: v.pipe(v.boolean(), about("older than an hour; the registry could not be asked again")),
    }),
    about("how old the answer is"),
  ),
  skipped: v.optional(v.pipe(v.number(), about("entries left out because they make no sense"))),
  unavailable: v.optional(
    v.pipe(v.object({ reason: v.string() }), about("the registry could not be asked; what is known is shown")),
  ),
});
export type RegistrySearch = v.InferOutput<typeof RegistrySearch>;

/** A server as it was added from a registry (spec 000 §2.7); secrets masked. */
export const InstalledServer = v.object({
  name: v.string(),
  protocol: v.string(),
  command: text("program"),
  args: v.optional(v.array(v.string())),
  url: text("address"),
  enabled: v.boolean(),
  quarantined: v.boolean(),
  held: v.optional(v.pipe(v.literal(true), about("not started until an administrator confirms it"))),
  source_registry_id: text("registry it came from"),
  source_registry_version: text("version it was installed in"),
  secrets: v.pipe(v.array(v.string()), about("names under which its secrets were put into the keyring")),
});
export type InstalledServer = v.InferOutput<typeof InstalledServer>;
