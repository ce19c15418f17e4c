import * as v from "valibot";
import { callTimeout, duration, integer, memory, oneOf, processors, stringMap, strings } from "./fields.ts";

/** The objects among the top-level keys. */

const about = v.description;

export const Concurrency = v.looseObject({
  max_concurrent_requests: v.optional(
    v.pipe(integer(0, 100_000), about("calls at once to one server; 0: no limit; absent: 1000")),
  ),
  queue_size: v.optional(v.pipe(integer(0, 1_000_000), about("calls that may wait for a place"))),
  queue_timeout: v.optional(v.pipe(callTimeout(), about("longest wait for a place"))),
});

export const CodeCeilings = v.looseObject({
  timeout_ms: v.optional(v.pipe(integer(1, 600_000), about("longest execution")), 600_000),
  max_tool_calls: v.optional(v.pipe(integer(0, 1_000_000_000), about("most tool calls; 0: no ceiling")), 0),
});

export const Environment = v.looseObject({
  inherit_system_safe: v.optional(
    v.pipe(v.boolean(), about("pass on the variables of this process listed below")),
    true,
  ),
  allowed_system_vars: v.optional(v.pipe(strings(), about("further variables to pass on")), []),
  custom_vars: v.optional(v.pipe(stringMap(), about("variables to set")), {}),
});

export const Tls = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("serve HTTPS at `listen`; the local socket stays as it is")), false),
  require_client_cert: v.optional(
    v.pipe(v.boolean(), about("refuse who shows no certificate signed by `ca.pem` (`proxy client-cert`)")),
    false,
  ),
  certs_dir: v.optional(
    v.pipe(v.string(), about("folder of the certificates, seen from the data directory; absent: `certs` in it")),
  ),
  hsts: v.optional(
    v.pipe(v.boolean(), about("tell browsers to ask by https from then on; never for names of this machine")),
    true,
  ),
});

export const Logging = v.looseObject({
  level: v.optional(
    v.pipe(oneOf(["trace", "debug", "info", "warn", "error"]), about("least important line written")),
    "info",
  ),
  log_dir: v.optional(v.pipe(v.string(), about("folder of the log files; absent: `logs` in the data directory"))),
  max_size: v.optional(v.pipe(integer(1, 10_000), about("size at which a log file is put aside (MB)")), 10),
  max_backups: v.optional(v.pipe(integer(0, 1000), about("files put aside that are kept")), 5),
});

export const AuditLog = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("write audit lines"))),
  stdout: v.optional(v.pipe(v.boolean(), about("to standard output; never while MCP speaks there"))),
  path: v.optional(v.pipe(v.string(), about("to this file; wins over stdout"))),
  max_size_mb: v.optional(v.pipe(integer(1, 100_000), about("size at which the file is put aside (MB)")), 50),
  max_backups: v.optional(v.pipe(integer(0, 10_000), about("files put aside that are kept")), 10),
  max_age_days: v.optional(v.pipe(integer(0, 36_500), about("age at which they go; 0: never")), 90),
  compress: v.optional(v.pipe(v.boolean(), about("gzip files put aside")), true),
});

/** Words that stand for something else in the paths of MCP endpoints. */
const PATH_WORDS: readonly string[] = ["all", "call", "code", "p"];

export const Profile = v.looseObject({
  name: v.pipe(
    v.string(),
    v.minLength(1, "a profile needs a name"),
    v.regex(/^([a-z0-9][a-z0-9_-]{0,62})?$/, "must be 1 to 63 of a-z, 0-9, - and _, and begin with a letter or digit"),
    v.check((name) => !PATH_WORDS.includes(name), `must not be one of ${PATH_WORDS.join(", ")}`),
    about("unique; the word in /mcp/p/{profile}"),
  ),
  servers: v.pipe(strings(), about("names of the servers in it")),
});

export const UpdateCheck = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("ask for new releases")), true),
  channel: v.optional(
    v.pipe(oneOf(["stable", "rc"]), about("which releases count, for a build that is no release itself")),
    "stable",
  ),
  source: v.optional(
    v.pipe(
      v.string(),
      about("URL or file of a JSON list of releases, in the form of the GitHub API; absent: nothing is asked"),
    ),
  ),
});

export const DockerIsolation = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("run servers that have a command in containers")), false),
  mode: v.optional(
    v.pipe(
      oneOf(["docker", "sandbox", "none"]),
      about("how: in containers, in a light sandbox of the system's own, or not at all"),
    ),
    "docker",
  ),
  fallback: v.optional(
    v.pipe(oneOf(["refuse", "sandbox", "run"]), about("what becomes of a server while no container engine answers")),
    "refuse",
  ),
  default_images: v.optional(
    v.pipe(stringMap(), about("image for a command's name, such as `uvx`, or a runtime, such as `node`")),
  ),
  registry: v.optional(v.pipe(v.string(), about("where images without a registry come from")), "docker.io"),
  network_mode: v.optional(
    v.pipe(
      v.string(),
      about("network of the containers: `bridge`, `none`, `host` or a name; a sandbox has none but with `host`"),
    ),
    "bridge",
  ),
  memory_limit: v.optional(v.pipe(v.string(), memory, about("memory of each")), "512m"),
  cpu_limit: v.optional(v.pipe(v.string(), processors, about("processors of each")), "1.0"),
  timeout: v.optional(
    v.pipe(duration(1000, 1_800_000, "1s to 30m"), about("longest wait for a container to start")),
    "30s",
  ),
  extra_args: v.optional(v.pipe(strings(), about("further flags of `docker run` for all")), []),
  log_driver: v.optional(v.pipe(v.string(), about("where the engine keeps their output"))),
  log_max_size: v.optional(v.pipe(v.string(), about("size of one log file of the engine")), "100m"),
  log_max_files: v.optional(v.pipe(v.string(), about("log files the engine keeps")), "3"),
  enable_cache_volume: v.optional(
    v.pipe(v.boolean(), about("give each server a home that is kept, for the caches of package managers")),
    true,
  ),
});

export const Intent = v.looseObject({
  strict_server_validation: v.optional(
    v.pipe(v.boolean(), about("refuse destructive tools through the read and write variants")),
    true,
  ),
});

/** A source of installable servers beside the built-in ones; with a built-in's id it changes that one. */
export const Registry = v.looseObject({
  id: v.pipe(
    v.string(),
    v.minLength(1, "a registry needs an id"),
    about("what it is called in commands and addresses"),
  ),
  name: v.optional(v.pipe(v.string(), about("for people"))),
  description: v.optional(v.pipe(v.string(), about("for people"))),
  url: v.optional(v.pipe(v.string(), about("its page"))),
  servers_url: v.optional(v.pipe(v.string(), about("where its list is: https, or a file of this machine"))),
  protocol: v.optional(
    v.pipe(v.string(), about("how the list is read; `modelcontextprotocol/registry` unless said otherwise")),
  ),
  tags: v.optional(v.pipe(strings(), about("for people"))),
  requires_key: v.optional(v.pipe(v.boolean(), about("it is not asked without `api_key`"))),
  api_key: v.optional(v.pipe(v.string(), about("sent to it as a bearer token; better a reference"))),
});

export const ExternalScanner = v.looseObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit"),
    about("unique; what it is called in reports"),
  ),
  name: v.optional(v.pipe(v.string(), about("for people"))),
  image: v.pipe(v.string(), v.minLength(1, "a scanner needs an image"), about("container image")),
  args: v.optional(v.pipe(strings(), about("arguments of its program")), []),
  env: v.optional(v.pipe(stringMap(), about("its environment; values may be references")), {}),
  network: v.optional(v.pipe(v.boolean(), about("whether it may reach the network")), false),
  timeout: v.optional(v.pipe(duration(1000, 3_600_000, "1s to 1h"), about("instead of the general one"))),
});

export const Security = v.looseObject({
  scan_timeout_default: v.optional(
    v.pipe(duration(1000, 3_600_000, "1s to 1h"), about("longest run of one scanner")),
    "2m",
  ),
  integrity_check_interval: v.optional(
    v.pipe(
      duration(60_000, 2_592_000_000, "0 (never) or 1m to 30d"),
      about("how often servers are compared with what was approved"),
    ),
    "6h",
  ),
  integrity_check_on_restart: v.optional(
    v.pipe(v.boolean(), about("compare a server also whenever it was connected")),
    true,
  ),
  integrity_action: v.optional(
    v.pipe(oneOf(["report", "quarantine"]), about("what is done about one that changed by itself")),
    "report",
  ),
  disabled_scanners: v.optional(v.pipe(strings(), about("scanners that are left out, by id")), []),
  scanners: v.optional(
    v.pipe(
      v.array(ExternalScanner),
      about("further scanners, run as containers: tools and sources in, SARIF out (docs/scanning.md)"),
    ),
    [],
  ),
});

export const Lock = v.looseObject({
  path: v.optional(v.pipe(v.string(), about("the lock file; from the folder of this file")), "mcp.lock"),
  enforce: v.optional(v.pipe(v.boolean(), about("refuse calls of what differs from it")), false),
  allow: v.optional(
    v.pipe(
      v.array(oneOf(["cosmetic", "text", "narrowing", "widening"])),
      about("classes of differences that are let pass"),
    ),
    ["cosmetic"],
  ),
});
