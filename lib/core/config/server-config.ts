import * as v from "valibot";
import { type FieldValue, SERVER_CONFIG_FIELDS, type ServerField } from "../schema/server-config-fields.ts";
import { duration, integer, isCarriableText, memory, oneOfWords, processors, stringMap, strings } from "./fields.ts";

/** One entry of `mcpServers` (spec 000 §2.3). Texts may contain references such as `${env:X}`. */

const about = v.description;
const REFERENCE = /\$\{(?:env|keyring):[^}]*\}/g;

/** Rejects keys that `accepts` does not accept; the message names the first of them. */
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

/**
 * True if the text is an HTTP URL. A reference may stand for any part of it, so each is treated as an ordinary word.
 */
function isHttpUrl(text: string): boolean {
  if (/^\$\{(?:env|keyring):[^}]*\}/.test(text)) return true;
  const url = URL.parse?.(text.replaceAll(REFERENCE, "1")) ?? parsed(text.replaceAll(REFERENCE, "1"));
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}
function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/**
 * Parameters that the proxy itself sets at a sign-in. Another value would break the sign-in or make it unsafe.
 * (reference 6.2)
 */
const OWN_PARAMS = new Set(
  "client_id client_secret redirect_uri response_type state code code_challenge code_challenge_method code_verifier grant_type refresh_token".split(
    " ",
  ),
);

export const OAuthConfig = v.looseObject({
  grant: v.optional(
    v.pipe(
      oneOfWords(["authorization_code", "client_credentials"]),
      about(
        "how the proxy gets a token: `authorization_code`: a person signs in; `client_credentials`: the proxy signs in as itself, with `client_id` and `client_secret` or `private_key`; absent: `authorization_code`",
      ),
    ),
  ),
  client_id: v.optional(
    v.pipe(v.string(), about("client id registered at the sign-in server; absent: the proxy registers itself")),
  ),
  client_secret: v.optional(v.pipe(v.string(), about("client secret; preferably a secret reference"))),
  private_key: v.optional(
    v.pipe(
      v.string(),
      about(
        "private key of the client (PEM, PKCS #8), with which it signs instead of sending a secret (`private_key_jwt`); preferably a secret reference",
      ),
    ),
  ),
  key_id: v.optional(v.pipe(v.string(), about("id of that key (`kid`), if the sign-in server needs it"))),
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

/** What the proxy does if arguments do not match the input schema of a tool. */
export const ValidateArguments = oneOfWords(SERVER_CONFIG_FIELDS.validate_arguments.words);

/** Maximum number of headers of a server; HTTP servers accept fewer. */
const MAX_HEADERS = 256;

/** Schemas of fields that need more than the schema of their kind. */
const SPECIAL = {
  command: v.pipe(v.string(), v.check(isCarriableText, "must not contain line breaks or NUL")),
  env: v.pipe(stringMap(), keysAre(isEnvName, "environment variable")),
  url: v.pipe(v.string(), v.check(isHttpUrl, "must be an http or https URL")),
  headers: v.pipe(
    stringMap(),
    v.check((headers) => Object.keys(headers).length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} headers`),
    keysAre(isHeaderName, "header"),
  ),
  oauth: OAuthConfig,
  auth_broker: v.looseObject({
    mode: v.pipe(
      oneOfWords(["oauth_connect", "id_jag"]),
      about(
        "`oauth_connect`: each user signs in to this server; `id_jag`: the identity provider vouches for each user, who signs in to the proxy only (needs `oauth.issuer` and `oauth.client_id`)",
      ),
    ),
  }),
  isolation: IsolationConfig,
};

type Fields = typeof SERVER_CONFIG_FIELDS;
type Entries = {
  [K in keyof Fields]: v.OptionalSchema<
    K extends keyof typeof SPECIAL
      ? (typeof SPECIAL)[K]
      : v.GenericSchema<Fields[K] extends { words: readonly (infer W)[] } ? W : FieldValue<Fields[K]>>,
    undefined
  >;
};

const described = Object.fromEntries(
  Object.entries<ServerField>(SERVER_CONFIG_FIELDS).map(([name, field]) => {
    const special = (SPECIAL as Readonly<Record<string, v.GenericSchema>>)[name];
    return [name, v.optional<v.GenericSchema>(v.pipe(special ?? schemaOf(field), about(field.about)))];
  }),
) as Entries;

const fields = {
  name: v.pipe(
    v.string(),
    v.minLength(1, "a server needs a name"),
    v.maxLength(128, "a server name must have at most 128 characters"),
    v.check(
      (name) => name === "" || /^[^:\s\p{Cc}](?:[^:\p{Cc}]*[^:\s\p{Cc}])?$/u.test(name),
      "a server name must not contain colons, control characters, or leading or trailing spaces",
    ),
    v.check((name) => name !== "." && name !== "..", "a server name must not be . or .., which no URL can contain"),
    about("unique name; the first part of a tool's id `name:tool`"),
  ),
  ...described,
  enabled: v.optional(described.enabled.wrapped, true),
};

function schemaOf(field: ServerField): v.GenericSchema {
  switch (field.kind) {
    case "text":
      return v.string();
    case "flag":
      return v.boolean();
    case "count":
      return integer(0, field.max);
    case "duration":
      return duration(field.minMs, field.maxMs, field.range);
    case "choice":
      return oneOfWords(field.words);
    case "list":
      return strings();
    case "map":
      return stringMap();
    case "object":
      return v.looseObject({});
  }
}

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
    const { grant, client_id, client_secret, private_key, issuer } = server.oauth ?? {};
    const isByIdentity = server.auth_broker?.mode === "id_jag";
    // No person sees where the tokens come from, so the operator names the authorization server.
    if (isByIdentity && (!client_id || !issuer))
      refuse("auth_broker", "the mode id_jag needs oauth.issuer and oauth.client_id");
    if (grant === "client_credentials" && (!client_id || !(client_secret || private_key)))
      refuse("oauth", "the grant client_credentials needs client_id, and client_secret or private_key");
    if (grant === "client_credentials" && server.auth_broker && !isByIdentity)
      refuse("auth_broker", "is for sign-ins of people, not for the grant client_credentials");
    if (server.enabled_tools?.length && server.disabled_tools?.length)
      refuse("disabled_tools", "set either enabled_tools or disabled_tools, not both");
  }),
);
export type ServerConfig = v.InferOutput<typeof ServerConfig>;
