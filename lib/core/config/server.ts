import * as v from "valibot";
import {
  callTimeout,
  duration,
  integer,
  isCarriableText,
  memory,
  oneOfWords,
  processors,
  stringMap,
  strings,
} from "./fields.ts";

/** One entry of `mcpServers` (spec 000 §2.3; texts may hold references such as `${env:X}`). */

const about = v.description;
const REFERENCE = /\$\{(?:env|keyring):[^}]*\}/g;

/** Refuses names a predicate does not accept, naming the first. */
const keysAre = (accepts: (name: string) => boolean, what: string) =>
  v.rawCheck<Record<string, string>>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [key, value] of Object.entries(dataset.value)) {
      const path = [{ type: "object", origin: "value", input: dataset.value, key, value }] as const;
      if (!accepts(key)) addIssue({ message: `is not a valid ${what} name`, path: [...path] });
      else if (!isCarriableText(value))
        addIssue({
          message: `${/^[aeiou]/.test(what) ? "an" : "a"} ${what} value must not contain line breaks or NUL`,
          path: [...path],
        });
    }
  });
const isEnvName = (name: string) => name !== "" && !/[=\u0000]/.test(name);
const isHeaderName = (name: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** A reference may stand for any part of a URL, so each is read as a plain word. */
function isHttpUrl(text: string): boolean {
  if (/^\$\{(?:env|keyring):[^}]*\}/.test(text)) return true;
  const url = URL.parse?.(text.replaceAll(REFERENCE, "1")) ?? parsed(text.replaceAll(REFERENCE, "1"));
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}
function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Parameters a sign-in stands on; another value would break it, or its safety. (reference 6.2) */
const OWN_PARAMS = new Set(
  "client_id client_secret redirect_uri response_type state code code_challenge code_challenge_method code_verifier grant_type refresh_token".split(
    " ",
  ),
);

export const OAuthConfig = v.looseObject({
  client_id: v.optional(
    v.pipe(v.string(), about("client id registered at the sign-in server; absent: the proxy registers itself")),
  ),
  client_secret: v.optional(v.pipe(v.string(), about("client secret; preferably a secret reference"))),
  redirect_uri: v.optional(
    v.pipe(v.string(), about("redirect URI registered for the client; absent: the proxy's own")),
  ),
  scopes: v.optional(v.pipe(strings(), about("scopes to request; absent: those that the server's metadata names"))),
  extra_params: v.optional(
    v.pipe(
      stringMap(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        for (const [key, value] of Object.entries(dataset.value))
          if (OWN_PARAMS.has(key.toLowerCase())) {
            const path = [{ type: "object", origin: "value", input: dataset.value, key, value }] as const;
            addIssue({ message: `${key} is a protocol parameter, which the proxy sets`, path: [...path] });
          }
      }),
      about("additional parameters of the authorization, token and refresh requests"),
    ),
  ),
  pkce_enabled: v.optional(v.pipe(v.boolean(), about("accepted for compatibility; PKCE is always used"))),
  issuer: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("issuer of the sign-in server; overrides the one that the server's metadata names"),
    ),
  ),
  authorization_endpoint: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("authorization endpoint; overrides the sign-in server's metadata"),
    ),
  ),
  token_endpoint: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("token endpoint; overrides the sign-in server's metadata"),
    ),
  ),
});

export const IsolationConfig = v.looseObject({
  enabled_override: v.optional(
    v.pipe(v.boolean(), about("isolate this server or not; overrides `docker_isolation.enabled`")),
  ),
  enabled: v.optional(v.pipe(v.boolean(), about("older name of `enabled_override`"))),
  mode: v.optional(v.pipe(oneOfWords(["docker", "sandbox", "none"]), about("overrides `docker_isolation.mode`"))),
  image: v.optional(v.pipe(v.string(), about("container image"))),
  network_mode: v.optional(
    v.pipe(
      v.string(),
      about("overrides `docker_isolation.network_mode`; a sandbox has network access with `host` only"),
    ),
  ),
  memory_limit: v.optional(v.pipe(v.string(), memory, about("overrides `docker_isolation.memory_limit`"))),
  cpu_limit: v.optional(v.pipe(v.string(), processors, about("overrides `docker_isolation.cpu_limit`"))),
  working_dir: v.optional(v.pipe(v.string(), about("working directory inside the container"))),
  extra_args: v.optional(
    v.pipe(strings(), about("additional flags of `docker run`; flags that weaken the isolation are rejected")),
  ),
});

/** What becomes of arguments that do not match a tool's input schema. */
export const ValidateArguments = oneOfWords(["off", "warn", "enforce"]);

const fields = {
  name: v.pipe(
    v.string(),
    v.minLength(1, "a server needs a name"),
    v.maxLength(128, "a server name must have at most 128 characters"),
    v.check(
      (name) => name === "" || /^[^:\s\p{Cc}](?:[^:\p{Cc}]*[^:\s\p{Cc}])?$/u.test(name),
      "a server name must not contain colons, control characters, or leading or trailing spaces",
    ),
    about("unique name; the first part of a tool's id `name:tool`"),
  ),
  protocol: v.optional(
    v.pipe(
      oneOfWords(["stdio", "http", "sse", "streamable-http", "auto"]),
      about(
        "transport; absent or `auto`: `stdio` for a command without a url; for a url, streamable HTTP and, if that fails, the older SSE",
      ),
    ),
  ),
  command: v.optional(
    v.pipe(
      v.string(),
      v.check(isCarriableText, "must not contain line breaks or NUL"),
      about("program to start; with a url, the program must listen at that url"),
    ),
  ),
  args: v.optional(v.pipe(strings(), about("arguments of the program"))),
  working_dir: v.optional(v.pipe(v.string(), about("working directory of the program"))),
  env: v.optional(
    v.pipe(
      stringMap(),
      keysAre(isEnvName, "environment variable"),
      about("additional environment variables of the program"),
    ),
  ),
  url: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("URL of a remote server, or the URL at which the command listens"),
    ),
  ),
  headers: v.optional(
    v.pipe(stringMap(), keysAre(isHeaderName, "header"), about("HTTP headers sent with every request")),
  ),
  oauth: v.optional(v.pipe(OAuthConfig, about("OAuth settings for signing in to the remote server"))),
  auth_broker: v.optional(
    v.pipe(
      v.looseObject({ mode: v.pipe(oneOfWords(["oauth_connect"]), about("each user signs in to this server")) }),
      about(
        "credentials for the calls of users in the multi-user edition; absent: calls use the server's shared credentials",
      ),
    ),
  ),
  isolation: v.optional(v.pipe(IsolationConfig, about("isolation settings of this server"))),
  enabled: v.optional(v.pipe(v.boolean(), about("connect to this server")), true),
  quarantined: v.optional(
    v.pipe(
      v.boolean(),
      about(
        "block calls of its tools until a person lifts the quarantine; absent: `true`, unless `trust_mode` or `quarantine_enabled` specifies otherwise",
      ),
    ),
  ),
  held: v.optional(
    v.pipe(
      v.boolean(),
      about(
        "set by the proxy after a change over MCP that could send the server's credentials elsewhere or weakens its isolation; the proxy does not connect to the server until its quarantine is lifted",
      ),
    ),
  ),
  trust_mode: v.optional(
    v.pipe(
      oneOfWords(["auto", "scan", "manual"]),
      about(
        "who approves its tools: `auto`: the proxy, without review; `scan`: the offline scan; `manual`: an administrator; absent: `manual`",
      ),
    ),
  ),
  auto_approve_tool_changes: v.optional(
    v.pipe(v.boolean(), about("keep approved tools approved when the server changes them")),
  ),
  reconnect_on_use: v.optional(
    v.pipe(v.boolean(), about("try to connect once when a tool of the disconnected server is called")),
  ),
  init_timeout: v.optional(
    v.pipe(duration(1000, 1_800_000, "0 or 1s to 30m"), about("overrides the general `init_timeout`")),
  ),
  launcher_wait_timeout: v.optional(
    v.pipe(
      duration(1000, 1_800_000, "0 or 1s to 30m"),
      about("timeout for a program with a url to listen at that url; absent: 30s"),
    ),
  ),
  call_tool_timeout: v.optional(v.pipe(callTimeout(), about("overrides the general `call_tool_timeout`"))),
  validate_arguments: v.optional(v.pipe(ValidateArguments, about("overrides the general `validate_arguments`"))),
  health_check_interval: v.optional(
    v.pipe(duration(5000, 3_600_000, "0 or 5s to 1h"), about("overrides the general `health_check_interval`")),
  ),
  tool_discovery_interval: v.optional(
    v.pipe(duration(30_000, 86_400_000, "0 or 30s to 24h"), about("overrides the general `tool_discovery_interval`")),
  ),
  max_concurrent_requests: v.optional(
    v.pipe(
      integer(0, 100_000),
      about("maximum number of concurrent calls; 0: no limit; absent: `server_concurrency_defaults`, else 1000"),
    ),
  ),
  queue_size: v.optional(
    v.pipe(
      integer(0, 1_000_000),
      about(
        "maximum number of calls that wait in the queue when the limit is reached; further calls fail with `queue_full`; absent: `server_concurrency_defaults`, else 0",
      ),
    ),
  ),
  queue_timeout: v.optional(
    v.pipe(
      callTimeout(),
      about(
        "maximum time that a call waits in the queue; absent: `server_concurrency_defaults`, else the general `queue_timeout`",
      ),
    ),
  ),
  enabled_tools: v.optional(v.pipe(strings(), about("allow only these tools"))),
  disabled_tools: v.optional(v.pipe(strings(), about("block these tools"))),
  source_registry_id: v.optional(v.pipe(v.string(), about("registry that the server was installed from"))),
  source_registry_provenance: v.optional(
    v.pipe(v.string(), about("`official` for a built-in registry, else `custom`")),
  ),
  source_registry_server: v.optional(v.pipe(v.string(), about("name of the server in the registry"))),
  source_registry_version: v.optional(v.pipe(v.string(), about("installed version"))),
  created: v.optional(v.pipe(v.string(), about("time at which it was added"))),
  updated: v.optional(v.pipe(v.string(), about("time of its last change through the proxy"))),
};

export const ServerConfig = v.pipe(
  v.looseObject(fields),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const server = dataset.value;
    const refuse = (key: keyof typeof fields, message: string) =>
      addIssue({ message, path: [{ type: "object", origin: "value", input: server, key, value: server[key] }] });
    const { protocol = "auto", command, url } = server;
    if (protocol === "stdio" && !command) refuse("command", "a stdio server needs a command");
    else if (protocol === "auto" && !command && !url) refuse("command", "a server needs a command or a url");
    else if (!["stdio", "auto"].includes(protocol) && !url)
      refuse("url", `a server with protocol ${protocol} needs a url`);
    if (server.auth_broker && command && url && protocol !== "stdio")
      refuse("auth_broker", "is for remote servers, not for a local server");
    if (server.enabled_tools?.length && server.disabled_tools?.length)
      refuse("disabled_tools", "set either enabled_tools or disabled_tools, not both");
  }),
);
export type ServerConfig = v.InferOutput<typeof ServerConfig>;
