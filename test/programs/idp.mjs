// @ts-check
/**
 * A real OpenID provider: `node test/programs/idp.mjs`. It prints one line on standard output, {"issuer":"http://…"},
 * and takes one line on standard input, {"redirect_uris":["http://…/callback"]}, before it can be used. Its client is
 * `proxy` with the secret `sesame & more`; its users sign in with their name and any password. A line
 * {"person":{"alice":{"groups":[]}}} changes the claims of a user from then on; after each line it prints "ok".
 */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Provider } from "oidc-provider";

/** @type {Record<string, { email: string, email_verified: boolean, name: string, groups: string[] }>} */
const people = {
  alice: { email: "alice@example.com", email_verified: true, name: "Alice Adams", groups: ["dev"] },
  bob: { email: "bob@example.com", email_verified: true, name: "Bob Brown", groups: ["ops"] },
  carol: { email: "Carol@Example.com", email_verified: true, name: "Carol Clark", groups: [] },
  mallory: { email: "carol@example.com", email_verified: false, name: "Mallory", groups: ["dev", "ops"] },
};

/** @type {string[]} */
let redirects = [];
/** @type {((req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse) => unknown) | undefined} */
let handle;
const server = createServer((req, res) => {
  if (handle) return void handle(req, res);
  res.writeHead(503).end();
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const issuer = `http://127.0.0.1:${port}`;
  console.log(JSON.stringify({ issuer }));
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { redirect_uris, person } = JSON.parse(line);
    if (person)
      for (const [name, claims] of Object.entries(person))
        people[name] = { ...bare(name), ...(Object.hasOwn(people, name) ? people[name] : {}), ...claims };
    if (redirect_uris) {
      redirects = redirect_uris;
      handle = make(issuer).callback();
    }
    console.log("ok");
  });
});
process.stdin.on("end", () => process.exit(0));

/** @param {string} name */
const bare = (name) => ({ email: `${name}@example.com`, email_verified: true, name, groups: [] });

/** @param {string} issuer */
function make(issuer) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "proxy",
        client_secret: "sesame & more",
        redirect_uris: redirects,
        grant_types: ["authorization_code"],
      },
    ],
    cookies: { keys: ["a key for tests"] },
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_, sub) =>
      Object.hasOwn(people, sub) ? { accountId: sub, claims: async () => ({ sub, ...people[sub] }) } : undefined,
  });
  provider.on("server_error", (_, error) => console.error(error));
  return provider;
}
