import * as v from "valibot";
import { isLoopback } from "../base/host-port.ts";
import { duration, strings } from "./fields.ts";

/** `auth`: how MCP clients get a credential besides tokens that a person copies. */

const about = v.description;
const DAY_MS = 86_400_000;

/** What a client gets for a person whom the identity provider vouches for. */
const Assertions = v.looseObject({
  permissions: v.optional(
    v.pipe(
      v.array(v.picklist(["read", "write", "destructive"])),
      v.check((all) => all.includes("read"), "must include read"),
      about("the most that its agent token allows"),
    ),
    ["read"],
  ),
  servers: v.optional(
    v.pipe(strings(), about("the most servers that its agent token reaches; `*`: all of the person's")),
    ["*"],
  ),
});

const OAuthClient = v.pipe(
  v.looseObject({
    client_id: v.pipe(
      v.string(),
      v.regex(/^[\w.~-]{1,128}$/, "must be 1 to 128 letters, digits, or characters of . _ ~ -"),
      about("id of the client"),
    ),
    client_name: v.optional(v.pipe(v.string(), v.maxLength(64, "has at most 64 characters"), about("name to show"))),
    client_secret: v.optional(
      v.pipe(
        v.string(),
        about("secret of the client, preferably a secret reference; absent: the client proves itself by PKCE only"),
      ),
    ),
    redirect_uris: v.pipe(
      strings(),
      v.check((uris) => uris.length > 0 && uris.length <= 20, "must have 1 to 20 URLs"),
      v.check((uris) => uris.every(isRedirect), "must be https URLs, or http URLs of this machine"),
      about("URLs to which the client may be sent back; for those of this machine, any port is accepted"),
    ),
    id_jag: v.optional(
      v.pipe(
        Assertions,
        about(
          "what the client gets for a person by an assertion of the identity provider (ID-JAG), without a consent; in the multi-user edition, and only with `client_secret`; absent: nothing",
        ),
      ),
    ),
  }),
  v.check(({ id_jag, client_secret }) => !id_jag || Boolean(client_secret), "id_jag needs client_secret"),
);

const OAuthServer = v.looseObject({
  enabled: v.optional(
    v.pipe(
      v.boolean(),
      about("let MCP clients sign in by OAuth; clients without a credential are then rejected at `/mcp`"),
    ),
    false,
  ),
  public_url: v.optional(
    v.pipe(
      v.string(),
      v.check(isPublicOrigin, 'must be an https origin such as "https://proxy.example.com", without path or query'),
      about(
        "origin under which clients and browsers reach the proxy; absent: `server_edition.public_url`, or else the address of the listener on this machine",
      ),
    ),
  ),
  access_ttl: v.optional(
    v.pipe(
      duration(60_000, DAY_MS, "1m to 1d"),
      about("how long an access token is valid; clients renew it without the person"),
    ),
    "1h",
  ),
  max_lifetime: v.optional(
    v.pipe(
      duration(3_600_000, 365 * DAY_MS, "1h to 365d"),
      about("longest time that a person can allow a client before it must sign in again"),
    ),
    "90d",
  ),
  dynamic_registration: v.optional(
    v.pipe(v.boolean(), about("let clients register themselves; they can only state their name, not prove it")),
    true,
  ),
  clients: v.optional(v.pipe(v.array(OAuthClient), about("clients that need not register themselves")), []),
});

export const Auth = v.looseObject({
  oauth: v.optional(v.pipe(OAuthServer, about("sign-in of MCP clients by OAuth")), {}),
});

function isPublicOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (text === origin || text === `${origin}/`) && (protocol === "https:" || isOwnHttp(protocol, hostname));
}

function isRedirect(text: string): boolean {
  if (!URL.canParse(text) || text.includes("#")) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return username === "" && password === "" && (protocol === "https:" || isOwnHttp(protocol, hostname));
}

const isOwnHttp = (protocol: string, hostname: string) =>
  protocol === "http:" && isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
