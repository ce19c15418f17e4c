import * as v from "valibot";
import { callTimeout, duration, integer, memory, oneOfWords, processors, stringMap, strings } from "./fields.ts";

/** The objects among the top-level keys. */

const about = v.description;

export const Concurrency = v.looseObject({
  max_concurrent_requests: v.optional(
    v.pipe(integer(0, 100_000), about("maximum number of concurrent calls to one server; 0: no limit; absent: 1000")),
  ),
  queue_size: v.optional(
    v.pipe(
      integer(0, 1_000_000),
      about(
        "maximum number of calls that wait in the queue when the limit is reached; further calls fail with `queue_full`; absent: 0",
      ),
    ),
  ),
  queue_timeout: v.optional(
    v.pipe(callTimeout(), about("maximum time that a call waits in the queue; absent: the general `queue_timeout`")),
  ),
});

export const CodeCeilings = v.looseObject({
  timeout_ms: v.optional(v.pipe(integer(1, 600_000), about("maximum timeout (ms)")), 600_000),
  max_tool_calls: v.optional(v.pipe(integer(0, 1_000_000_000), about("maximum number of tool calls; 0: no limit")), 0),
});

export const Environment = v.looseObject({
  inherit_system_safe: v.optional(
    v.pipe(v.boolean(), about('pass on the proxy\'s variables that are listed under "What child processes inherit"')),
    true,
  ),
  allowed_system_vars: v.optional(
    v.pipe(strings(), about("names of additional variables of the proxy to pass on")),
    [],
  ),
  custom_vars: v.optional(v.pipe(stringMap(), about("additional variables and their values")), {}),
});

export const Tls = v.looseObject({
  enabled: v.optional(
    v.pipe(v.boolean(), about("serve HTTPS instead of HTTP at `listen`; does not affect the local socket")),
    false,
  ),
  require_client_cert: v.optional(
    v.pipe(
      v.boolean(),
      about("reject clients without a certificate signed by `ca.pem`; `proxy client-cert` issues one"),
    ),
    false,
  ),
  certs_dir: v.optional(
    v.pipe(v.string(), about("folder of the certificates, relative to the data directory; absent: `certs`")),
  ),
  hsts: v.optional(
    v.pipe(
      v.boolean(),
      about("send HSTS, so that browsers use HTTPS from then on; never sent for names of the local machine"),
    ),
    true,
  ),
});

export const Logging = v.looseObject({
  level: v.optional(
    v.pipe(
      oneOfWords(["trace", "debug", "info", "warn", "error"]),
      about("minimum level of the lines that are written"),
    ),
    "info",
  ),
  log_dir: v.optional(v.pipe(v.string(), about("folder of the log files; absent: `logs` in the data directory"))),
  max_size: v.optional(v.pipe(integer(1, 10_000), about("size at which a log file is rotated (MB)")), 10),
  max_backups: v.optional(v.pipe(integer(0, 1000), about("maximum number of rotated files")), 5),
});

export const AuditLog = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("write the audit log; absent: if `path` or `stdout` is set"))),
  stdout: v.optional(v.pipe(v.boolean(), about("write to standard output; not allowed with `--stdio`"))),
  path: v.optional(
    v.pipe(
      v.string(),
      about(
        "write to this file; takes precedence over `stdout`; absent, without `stdout`: `audit/audit.log` in the data directory",
      ),
    ),
  ),
  max_size_mb: v.optional(v.pipe(integer(1, 100_000), about("size at which the file is rotated (MB)")), 50),
  max_backups: v.optional(v.pipe(integer(0, 10_000), about("maximum number of rotated files")), 10),
  max_age_days: v.optional(
    v.pipe(integer(0, 36_500), about("days after which rotated files are deleted; 0: never")),
    90,
  ),
  compress: v.optional(v.pipe(v.boolean(), about("compress rotated files with gzip")), true),
});

/** Words that stand for something else in the paths of MCP endpoints. */
const PATH_WORDS: readonly string[] = ["all", "call", "code", "p"];

export const Profile = v.looseObject({
  name: v.pipe(
    v.string(),
    v.minLength(1, "a profile needs a name"),
    v.regex(/^([a-z0-9][a-z0-9_-]{0,62})?$/, "must be 1 to 63 of a-z, 0-9, - and _, and begin with a letter or digit"),
    v.check((name) => !PATH_WORDS.includes(name), `must not be one of ${PATH_WORDS.join(", ")}`),
    about("unique name; part of the endpoint `/mcp/p/{profile}`"),
  ),
  servers: v.pipe(strings(), about("names of its servers")),
});

export const UpdateCheck = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("check for new releases")), true),
  channel: v.optional(
    v.pipe(oneOfWords(["stable", "rc"]), about("release channel that a development build compares itself with")),
    "stable",
  ),
  source: v.optional(
    v.pipe(
      v.string(),
      about("URL or file of a JSON list of releases in the format of the GitHub API; absent: no checks"),
    ),
  ),
});

export const DockerIsolation = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("isolate the servers that the proxy starts")), false),
  mode: v.optional(
    v.pipe(
      oneOfWords(["docker", "sandbox", "none"]),
      about("kind of isolation: containers, the light sandbox of the operating system, or none"),
    ),
    "docker",
  ),
  fallback: v.optional(
    v.pipe(
      oneOfWords(["refuse", "sandbox", "run"]),
      about(
        "what the proxy does while no container engine is available: refuse to start the server, start it in the light sandbox, or start it without isolation",
      ),
    ),
    "refuse",
  ),
  default_images: v.optional(
    v.pipe(
      stringMap(),
      about("image by command, such as `uvx`, or by runtime, such as `node`; overrides the built-in choice"),
    ),
  ),
  registry: v.optional(v.pipe(v.string(), about("registry of images whose name contains none")), "docker.io"),
  network_mode: v.optional(
    v.pipe(
      v.string(),
      about(
        "network of the containers: `bridge`, `none`, `host` or the name of a network; a sandbox has network access with `host` only",
      ),
    ),
    "bridge",
  ),
  memory_limit: v.optional(v.pipe(v.string(), memory, about("memory limit of each server")), "512m"),
  cpu_limit: v.optional(v.pipe(v.string(), processors, about("processor limit of each server")), "1.0"),
  timeout: v.optional(v.pipe(duration(1000, 1_800_000, "1s to 30m"), about("timeout for a container to start")), "30s"),
  extra_args: v.optional(v.pipe(strings(), about("additional flags of `docker run` for all containers")), []),
  log_driver: v.optional(v.pipe(v.string(), about("log driver of the container engine; absent: the engine's default"))),
  log_max_size: v.optional(
    v.pipe(v.string(), about("size at which the engine rotates a container's log file")),
    "100m",
  ),
  log_max_files: v.optional(
    v.pipe(v.string(), about("maximum number of log files that the engine keeps for a container")),
    "3",
  ),
  enable_cache_volume: v.optional(
    v.pipe(v.boolean(), about("give each server a persistent home volume for the caches of package managers")),
    true,
  ),
});

export const Intent = v.looseObject({
  strict_server_validation: v.optional(
    v.pipe(v.boolean(), about("reject calls of destructive tools through the read and write variants")),
    true,
  ),
});

/** A source of installable servers beside the built-in ones; with a built-in's id it changes that one. */
export const Registry = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1, "a registry needs an id"), about("identifier in commands and URLs")),
  name: v.optional(v.pipe(v.string(), about("display name"))),
  description: v.optional(v.pipe(v.string(), about("description of the registry"))),
  url: v.optional(v.pipe(v.string(), about("web page of the registry"))),
  servers_url: v.optional(v.pipe(v.string(), about("location of the server list: an https URL or a local file"))),
  protocol: v.optional(v.pipe(v.string(), about("format of the server list; absent: `modelcontextprotocol/registry`"))),
  tags: v.optional(v.pipe(strings(), about("tags of the registry"))),
  requires_key: v.optional(v.pipe(v.boolean(), about("do not query the registry without `api_key`"))),
  api_key: v.optional(v.pipe(v.string(), about("bearer token for the registry; preferably a secret reference"))),
});

export const ExternalScanner = v.looseObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit"),
    about("unique identifier, used in reports"),
  ),
  name: v.optional(v.pipe(v.string(), about("display name"))),
  image: v.pipe(v.string(), v.minLength(1, "a scanner needs an image"), about("container image")),
  args: v.optional(v.pipe(strings(), about("arguments of the scanner")), []),
  env: v.optional(v.pipe(stringMap(), about("environment variables; values may be secret references")), {}),
  network: v.optional(v.pipe(v.boolean(), about("allow network access")), false),
  timeout: v.optional(
    v.pipe(
      duration(1000, 3_600_000, "1s to 1h"),
      about("timeout of this scanner; absent: `security.scan_timeout_default`"),
    ),
  ),
});

export const Security = v.looseObject({
  scan_timeout_default: v.optional(v.pipe(duration(1000, 3_600_000, "1s to 1h"), about("timeout of a scanner")), "2m"),
  integrity_check_interval: v.optional(
    v.pipe(
      duration(60_000, 2_592_000_000, "0 (never) or 1m to 30d"),
      about("interval between integrity checks, which compare each server with its approved state; 0: no checks"),
    ),
    "6h",
  ),
  integrity_check_on_restart: v.optional(v.pipe(v.boolean(), about("also check a server each time it connects")), true),
  integrity_action: v.optional(
    v.pipe(
      oneOfWords(["report", "quarantine"]),
      about("reaction to a server that changed without a change of its configuration"),
    ),
    "report",
  ),
  disabled_scanners: v.optional(v.pipe(strings(), about("identifiers of scanners that are disabled")), []),
  scanners: v.optional(
    v.pipe(
      v.array(ExternalScanner),
      about("additional scanners, run as containers that read tools and sources and write SARIF (docs/scanning.md)"),
    ),
    [],
  ),
});

export const Lock = v.looseObject({
  path: v.optional(v.pipe(v.string(), about("path of the lock file, relative to the folder of this file")), "mcp.lock"),
  enforce: v.optional(v.pipe(v.boolean(), about("reject calls of tools that differ from the lock file")), false),
  allow: v.optional(
    v.pipe(
      v.array(oneOfWords(["cosmetic", "text", "narrowing", "widening"])),
      about("classes of differences that enforcement permits"),
    ),
    ["cosmetic"],
  ),
});
