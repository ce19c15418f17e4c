import * as v from "valibot";
import { callTimeout, integer, oneOfWords, stringMap, strings } from "./fields.ts";

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
  format: v.optional(
    v.pipe(
      oneOfWords(["text", "json"]),
      about("format of the program's log: lines for people, or one JSON object a line"),
    ),
    "text",
  ),
  log_dir: v.optional(v.pipe(v.string(), about("folder of the log files; absent: `logs` in the data directory"))),
  max_size: v.optional(v.pipe(integer(1, 10_000), about("size at which a log file is rotated (MB)")), 10),
  max_backups: v.optional(v.pipe(integer(0, 1000), about("maximum number of rotated files")), 5),
});

/** Words that have a meaning in the paths of MCP endpoints, so no profile can have such a name. */
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

export const Intent = v.looseObject({
  strict_server_validation: v.optional(
    v.pipe(v.boolean(), about("reject calls of destructive tools through the read and write variants")),
    true,
  ),
});

/**
 * A source of installable servers in addition to the built-in ones. With the id of a built-in source it changes that
 * one.
 */
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
