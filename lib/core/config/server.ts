import * as v from "valibot";
import { callTimeout, carriable, duration, integer, memory, oneOf, processors, stringMap, strings } from "./fields.ts";

/** One entry of `mcpServers` (spec 000 §2.3; texts may hold references such as `${env:X}`). */

const about = v.description;
const REFERENCE = /\$\{(?:env|keyring):[^}]*\}/g;

/** Refuses names a predicate does not accept, naming the first. */
const keysAre = (accepts: (name: string) => boolean, what: string) =>
  v.rawCheck<Record<string, string>>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [key, value] of Object.entries(dataset.value)) {
      const path = [{ type: "object", origin: "value", input: dataset.value, key, value }] as const;
      if (!accepts(key)) addIssue({ message: `is not a legal ${what} name`, path: [...path] });
      else if (!carriable(value))
        addIssue({
          message: `${/^[aeiou]/.test(what) ? "an" : "a"} ${what} value holds no line breaks or NUL`,
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
    v.pipe(v.string(), about("client registered at the identity provider; absent: registers itself")),
  ),
  client_secret: v.optional(v.pipe(v.string(), about("secret of that client; better a reference"))),
  redirect_uri: v.optional(v.pipe(v.string(), about("return address registered for that client"))),
  scopes: v.optional(v.pipe(strings(), about("scopes to ask for; absent: what the server announces"))),
  extra_params: v.optional(
    v.pipe(
      stringMap(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        for (const [key, value] of Object.entries(dataset.value))
          if (OWN_PARAMS.has(key.toLowerCase())) {
            const path = [{ type: "object", origin: "value", input: dataset.value, key, value }] as const;
            addIssue({ message: `${key} belongs to the protocol and is set by the program`, path: [...path] });
          }
      }),
      about("further parameters of the authorization, token and refresh requests"),
    ),
  ),
  pkce_enabled: v.optional(v.pipe(v.boolean(), about("accepted for compatibility; PKCE is always used"))),
  issuer: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("the sign-in server, instead of the one the server names"),
    ),
  ),
  authorization_endpoint: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("where the browser signs in, instead of what metadata says"),
    ),
  ),
  token_endpoint: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("where tokens are given, instead of what metadata says"),
    ),
  ),
});

export const IsolationConfig = v.looseObject({
  enabled_override: v.optional(
    v.pipe(v.boolean(), about("keep this server apart, or not, whatever the general setting")),
  ),
  enabled: v.optional(v.pipe(v.boolean(), about("the older word for `enabled_override`"))),
  mode: v.optional(v.pipe(oneOf(["docker", "sandbox", "none"]), about("instead of the general mode"))),
  image: v.optional(v.pipe(v.string(), about("container image"))),
  network_mode: v.optional(
    v.pipe(v.string(), about("instead of the general one; a sandbox has a network only with `host`")),
  ),
  memory_limit: v.optional(v.pipe(v.string(), memory, about("instead of the general one"))),
  cpu_limit: v.optional(v.pipe(v.string(), processors, about("instead of the general one"))),
  working_dir: v.optional(v.pipe(v.string(), about("folder it starts in, inside the container"))),
  extra_args: v.optional(v.pipe(strings(), about("further flags of `docker run`, as far as they undo nothing"))),
});

/** What becomes of arguments that do not match a tool's input schema. */
export const ValidateArguments = oneOf(["off", "warn", "enforce"]);

const fields = {
  name: v.pipe(
    v.string(),
    v.minLength(1, "a server needs a name"),
    v.maxLength(128, "a server name has at most 128 characters"),
    v.check(
      (name) => name === "" || /^[^:\s\p{Cc}](?:[^:\p{Cc}]*[^:\s\p{Cc}])?$/u.test(name),
      "a server name holds no colon, no control characters and no outer spaces",
    ),
    about("unique; the first part of a tool's id `name:tool`"),
  ),
  protocol: v.optional(
    v.pipe(
      oneOf(["stdio", "http", "sse", "streamable-http", "auto"]),
      about("absent or `auto`: `stdio` with a command alone; with a url streamable HTTP, then the older SSE"),
    ),
  ),
  command: v.optional(
    v.pipe(
      v.string(),
      v.check(carriable, "holds no line breaks or NUL"),
      about("program to start; with a url one that listens there"),
    ),
  ),
  args: v.optional(v.pipe(strings(), about("its arguments"))),
  working_dir: v.optional(v.pipe(v.string(), about("folder it starts in"))),
  env: v.optional(v.pipe(stringMap(), keysAre(isEnvName, "environment variable"), about("environment added for it"))),
  url: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpUrl, "must be an http or https URL"),
      about("address of a remote server, or where the command listens"),
    ),
  ),
  headers: v.optional(v.pipe(stringMap(), keysAre(isHeaderName, "header"), about("headers sent with every request"))),
  oauth: v.optional(v.pipe(OAuthConfig, about("sign-in at the remote server"))),
  auth_broker: v.optional(
    v.pipe(
      v.looseObject({ mode: v.pipe(oneOf(["oauth_connect"]), about("each user signs in to it themselves")) }),
      about("whose credentials calls of users are made with, in the multi-user edition; absent: the shared ones"),
    ),
  ),
  isolation: v.optional(v.pipe(IsolationConfig, about("container settings"))),
  enabled: v.optional(v.pipe(v.boolean(), about("whether it is connected to")), true),
  quarantined: v.optional(
    v.pipe(
      v.boolean(),
      about(
        "its tools are not called until a person lifts this; absent: yes, unless its trust mode or `quarantine_enabled` says otherwise",
      ),
    ),
  ),
  held: v.optional(
    v.pipe(
      v.boolean(),
      about(
        "set when a change over MCP could send its credentials elsewhere, or loosens its isolation: it is not connected to before its quarantine is lifted",
      ),
    ),
  ),
  trust_mode: v.optional(
    v.pipe(
      oneOf(["auto", "scan", "manual"]),
      about(
        "what approves its tools: the proxy without review, the offline scan, or an administrator; absent: `manual`",
      ),
    ),
  ),
  auto_approve_tool_changes: v.optional(
    v.pipe(v.boolean(), about("changes of its approved tools need no new approval")),
  ),
  reconnect_on_use: v.optional(
    v.pipe(v.boolean(), about("a call to the disconnected server tries one connection first")),
  ),
  init_timeout: v.optional(v.pipe(duration(1000, 1_800_000, "0 or 1s to 30m"), about("instead of the general one"))),
  launcher_wait_timeout: v.optional(
    v.pipe(
      duration(1000, 1_800_000, "0 or 1s to 30m"),
      about("longest wait for a program with a url to listen there; absent: 30s"),
    ),
  ),
  call_tool_timeout: v.optional(v.pipe(callTimeout(), about("instead of the general one"))),
  validate_arguments: v.optional(v.pipe(ValidateArguments, about("instead of the general one"))),
  health_check_interval: v.optional(
    v.pipe(duration(5000, 3_600_000, "0 or 5s to 1h"), about("instead of the general one")),
  ),
  tool_discovery_interval: v.optional(
    v.pipe(duration(30_000, 86_400_000, "0 or 30s to 24h"), about("instead of the general one")),
  ),
  max_concurrent_requests: v.optional(
    v.pipe(integer(0, 100_000), about("calls at once; 0: no limit; absent: server_concurrency_defaults, or else 1000")),
  ),
  queue_size: v.optional(v.pipe(integer(0, 1_000_000), about("calls that may wait for a place"))),
  queue_timeout: v.optional(v.pipe(callTimeout(), about("longest wait for a place"))),
  enabled_tools: v.optional(v.pipe(strings(), about("only these tools may be used"))),
  disabled_tools: v.optional(v.pipe(strings(), about("these tools may not be used"))),
  source_registry_id: v.optional(v.pipe(v.string(), about("registry it was installed from"))),
  source_registry_provenance: v.optional(
    v.pipe(v.string(), about("`official` for a built-in registry, else `custom`")),
  ),
  source_registry_server: v.optional(v.pipe(v.string(), about("what it is called there"))),
  source_registry_version: v.optional(v.pipe(v.string(), about("version it was installed in"))),
  created: v.optional(v.pipe(v.string(), about("when it was added"))),
  updated: v.optional(v.pipe(v.string(), about("when it was last changed through the program"))),
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
      refuse("auth_broker", "is for remote servers, not for one that is started here");
    if (server.enabled_tools?.length && server.disabled_tools?.length)
      refuse("disabled_tools", "give enabled_tools or disabled_tools, not both");
  }),
);
export type ServerConfig = v.InferOutput<typeof ServerConfig>;
