import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import type { UserRow } from "#lib/core/schema/user.ts";
import { openSession } from "#lib/modules/team/sessions.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";
import { bearerOf, callerFor, editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";
import { verifies } from "#test/kit/verifies.ts";

/** What users show: cookies, bearer tokens and agent tokens, good ones, bent ones and ones in the wrong place. */

let app: TestApp;
let close: () => Promise<void>;
let dev: UserRow;
let chief: UserRow;
let key: Buffer;

before(async () => {
  app = await testApp({ connect: false, config: { server_edition: editionFor("https://id.example") } });
  const listening = await listenTest(app);
  close = listening.close;
  dev = await person(app, { email: "dev@example.com" });
  chief = await person(app, { email: "carol@example.com", admin: true });
  await bearerOf(app, dev);
  key = Buffer.from(String(app.store.meta.get("user_bearer_key")), "base64");
});
after(async () => {
  await close();
  await app.close();
});

const ask = (headers: Record<string, string>, route = "GET /api/v1/auth/me", body?: object) =>
  send(app, { name: "", headers, listener: "tcp" } satisfies Tier, route, body);
const cookieOf = async (user: UserRow) => ({ cookie: (await sessionOf(app, user)).cookie! });
const emailOf = ({ text }: { text: string }) => JSON.parse(text).email;
const codeOf = ({ text }: { text: string }) => JSON.parse(text).code;
const host = () => app.boot.listenAddr;

test("a cookie, a bearer token and an agent token each stand for their own user", async () => {
  for (const user of [dev, chief]) {
    assert.equal(emailOf(await ask(await cookieOf(user))), user.email);
    assert.equal(emailOf(await ask(await bearerOf(app, user))), user.email);
  }
  const own = await tokenOf(app, dev, { name: "own" });
  assert.equal((await ask(own, "GET /api/v1/servers")).status, 200);
  assert.equal(codeOf(await ask(own)), "user_required");
});

interface Claims {
  [name: string]: unknown;
}
const good = (over: Claims = {}): Claims => ({
  sub: dev.id,
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 600,
  auth_time: Math.floor(Date.now() / 1000),
  issued_ms: Date.now(),
  email: dev.email,
  role: "user",
  ...over,
});
const made = (claims: Claims, header: object = { alg: "HS256", typ: "JWT" }, secret: Uint8Array = key) =>
  new SignJWT(claims).setProtectedHeader(header as { alg: string }).sign(secret);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const BENT: Record<string, () => Promise<string> | string> = {
  "alg none": () => `${part({ alg: "none", typ: "JWT" })}.${part(good())}.`,
  "alg none with a signature": async () =>
    `${part({ alg: "none", typ: "JWT" })}.${part(good())}.${(await made(good())).split(".")[2]}`,
  "no signature": async () => (await made(good())).replace(/[^.]*$/, ""),
  "another key": () => made(good(), undefined, Buffer.alloc(32, 7)),
  "an empty key": () => made(good(), undefined, Buffer.alloc(32)),
  "another algorithm": () => made(good(), { alg: "HS512", typ: "JWT" }, Buffer.concat([key, key])),
  "another header": () => made(good(), { alg: "HS256", typ: "JWT", kid: "../../etc/passwd" }),
  "other claims under a good signature": async () => {
    const [head, , signature] = (await made(good())).split(".");
    return `${head}.${part(good({ sub: chief.id }))}.${signature}`;
  },
  "an end in the past": () => made(good({ exp: Math.floor(Date.now() / 1000) - 1 })),
  "no end": () => made(good({ exp: undefined })),
  "an end that is a text": () => made(good({ exp: "9999999999" }) as never),
  "a user nobody knows": () => made(good({ sub: "nobody" })),
  "a user that objects have": () => made(good({ sub: "constructor" })),
  "no user": () => made(good({ sub: undefined })),
  "no time of issue": () => made(good({ issued_ms: undefined })),
  "no time of sign-in": () => made(good({ auth_time: undefined })),
  "a fourth part": async () => `${await made(good())}.x`,
  "a longer signature": async () => `${await made(good())}AA`,
  padding: async () => `${await made(good())}=`,
  "claims that are a list": async () => {
    const text = `${part({ alg: "HS256", typ: "JWT" })}.${part([1])}`;
    const { createHmac } = await import("node:crypto");
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  },
  "claims that are nothing": async () => {
    const text = `${part({ alg: "HS256", typ: "JWT" })}.`;
    const { createHmac } = await import("node:crypto");
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  },
  "more than anybody reads": async () => made(good({ pad: "x".repeat(10_000) })),
};

test("a bearer token that is not quite ours is nobody's", async (t) => {
  assert.equal((await ask({ authorization: `Bearer ${await made(good())}` })).status, 200, "a good one, made by jose");
  for (const [what, make] of Object.entries(BENT))
    await t.test(what, async () => {
      const token = await make();
      assert.equal((await ask({ authorization: `Bearer ${token}` })).status, 401);
      assert.equal((await ask({ authorization: `Bearer ${token}` }, "GET /api/v1/servers")).status, 401);
    });
});

test("what a token says of role and address is not believed", async () => {
  const claims = good({ role: "admin", email: chief.email, groups: ["lead"] });
  const answer = await ask({ authorization: `Bearer ${await made(claims)}` });

  assert.deepEqual([JSON.parse(answer.text).role, emailOf(answer)], ["user", dev.email]);
  assert.equal((await ask({ authorization: `Bearer ${await made(claims)}` }, "GET /api/v1/admin/users")).status, 403);
});

verifies(["mcp.auth.no-cookie"], "a credential in the wrong place counts for nothing", async () => {
  const { authorization } = (await bearerOf(app, chief)) as { authorization: string };
  const token = authorization.slice("Bearer ".length);
  const secret = (await cookieOf(chief)).cookie!.split("=")[1]!;
  const ways: [string, Record<string, string>, string?][] = [
    ["a bearer token as the API key", { "x-api-key": token }],
    ["a bearer token in the address", {}, `GET /api/v1/auth/me?apikey=${token}`],
    ["a bearer token as a cookie", { cookie: `proxy_session_${host().split(":")[1]}=${token}` }],
    ["a cookie's secret as the API key", { "x-api-key": secret }],
    ["a cookie's secret as a bearer token", { authorization: `Bearer ${secret}` }],
    ["a cookie's secret in the address", {}, `GET /api/v1/auth/me?apikey=${secret}`],
    ["a cookie's secret in the panel's cookie", { cookie: `proxy_panel_${host().split(":")[1]}=${secret}` }],
    ["a cookie of another port", { cookie: `proxy_session_1=${secret}` }],
    ["a cookie's secret under the name of a secure one", { cookie: `__Host-proxy_session=${secret}` }],
    ["a bearer token at /mcp", { authorization }, "POST /mcp"],
    ["a bearer token at /mcp/", { authorization }, "POST /mcp/"],
    ["a bearer token at /mcp/code", { authorization }, "POST /mcp/code"],
    ["a cookie at /mcp", await sessionOf(app, chief), "POST /mcp"],
    ["a cookie at /mcp/all", await sessionOf(app, chief), "POST /mcp/all"],
    ["a cookie at a profile", await sessionOf(app, chief), "POST /mcp/p/front"],
    ["a bearer token at an alias", { authorization }, "POST /code/mcp"],
    ["a cookie at an alias", await sessionOf(app, chief), "POST /p/front/mcp"],
  ];
  for (const [what, headers, route] of ways)
    assert.equal((await ask(headers, route, route?.startsWith("POST") ? INITIALIZE : undefined)).status, 401, what);
});

test("nothing in a header makes somebody a user", async () => {
  const headers = {
    "x-forwarded-user": chief.email,
    "x-forwarded-email": chief.email,
    "x-remote-user": chief.email,
    "remote-user": chief.email,
    "x-user-id": chief.id,
    "x-user-email": chief.email,
    "x-user-groups": "lead",
    "x-auth-request-email": chief.email,
    forwarded: `for=127.0.0.1;user=${chief.email}`,
  };
  for (const [name, value] of Object.entries(headers)) {
    assert.equal((await ask({ [name]: value })).status, 401, name);
    const beside = await ask({ ...(await cookieOf(dev)), [name]: value });
    assert.deepEqual([emailOf(beside), JSON.parse(beside.text).role], [dev.email, "user"], name);
  }
  assert.equal(
    (await ask({ cookie: `${(await cookieOf(dev)).cookie}; email=${chief.email}; role=admin` })).status,
    200,
  );
});

test("of two cookies of one name neither counts, since one is not ours", async () => {
  const [own, other] = [(await cookieOf(dev)).cookie, (await cookieOf(chief)).cookie];
  assert.equal((await ask({ cookie: `${own}; ${other}` })).status, 401);
  assert.equal((await ask({ cookie: `theme=dark; ${own}` })).status, 200);
});

test("a key beside a cookie decides, and a wrong one is refused", async () => {
  const cookie = await cookieOf(chief);
  assert.equal((await ask({ ...cookie, "x-api-key": "wrong" })).status, 401);
  assert.equal((await ask({ ...cookie, authorization: "Bearer wrong" })).status, 401);
  assert.equal(
    (await ask({ ...cookie, ...(await tokenOf(app, dev, { name: "two" })) }, "GET /api/v1/admin/users")).status,
    403,
  );
});

test("a change by cookie must come from a page of ours", async () => {
  const cookie = await cookieOf(dev);
  const from: [Record<string, string>, boolean][] = [
    [{}, false],
    [{ origin: `http://${host()}` }, true],
    [{ origin: `http://${host()}`, "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "x-requested-with": "fetch" }, true],
    [{ "x-proxy-panel": "1" }, true],
    [{ origin: "http://localhost:3000" }, false],
    [{ origin: "http://127.0.0.1:3000", "x-proxy-panel": "1" }, false],
    [{ origin: "null", "x-proxy-panel": "1" }, false],
    [{ origin: `http://${host()}.evil.example`, "x-proxy-panel": "1" }, false],
    [{ origin: `http://${host()}`, "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site", "x-proxy-panel": "1" }, false],
    [{ "sec-fetch-site": "none", "x-proxy-panel": "1" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ referer: `http://${host()}/ui/` }, false],
  ];
  for (const [headers, fits] of from) {
    const { status } = await ask({ ...cookie, ...headers }, "POST /api/v1/auth/token");
    assert.equal(status, fits ? 200 : 403, JSON.stringify(headers));
  }
  assert.equal(codeOf(await ask(cookie, "POST /api/v1/auth/token")), "other_origin");
});

test("a read by cookie must not be a browser's from elsewhere", async () => {
  const cookie = await cookieOf(dev);
  const from: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ origin: "http://localhost:3000" }, false],
    [{ origin: `http://${host()}` }, true],
  ];
  for (const [headers, fits] of from)
    assert.equal((await ask({ ...cookie, ...headers })).status, fits ? 200 : 401, JSON.stringify(headers));
});

test("of what is shown only the hash is kept, and of the cookie nothing can be read back", async () => {
  const { secret, session } = await openSession(app, dev, { userAgent: "x".repeat(1000), clientIp: "192.0.2.1" });
  const kept = JSON.stringify(app.store.userSessions.all());
  assert.ok(!kept.includes(secret));
  assert.equal(session.userAgent?.length, 300);
  const own = await ask(await cookieOf(dev), "GET /api/v1/user/sessions");
  assert.ok(!own.text.includes(session.hash) && own.text.includes("192.0.2.1"));
  const everything = await ask(await cookieOf(chief), "GET /api/v1/config");
  assert.ok(!everything.text.includes("sesame") && !everything.text.includes(key.toString("base64")));
});

test("sessions and tokens of others cannot be told from what does not exist", async () => {
  await tokenOf(app, chief, { name: "secret-tool" });
  const { session } = await openSession(app, chief, {});
  const headers = await sessionOf(app, dev);
  const bytes = ({ status, text }: { status: number; text: string }, name: string) =>
    `${status} ${text.replaceAll(name, "<>").replace(/"request_id":"[^"]*"/, "")}`;
  for (const [route, theirs, nobodys] of [
    ["DELETE /api/v1/user/sessions/{}", session.id, "00000000-0000-4000-8000-000000000000"],
    ["DELETE /api/v1/user/tokens/{}", "secret-tool", "absent-tool"],
    ["POST /api/v1/user/tokens/{}/regenerate", "secret-tool", "absent-tool"],
    ["DELETE /api/v1/user/tokens/{}/permanent", "secret-tool", "absent-tool"],
    ["DELETE /api/v1/user/tokens/{}", `${chief.id}%2Fsecret-tool`, `${chief.id}%2Fabsent-tool`],
  ] as const) {
    const [a, b] = [theirs, nobodys].map((name) => ask(headers, route.replace("{}", name)));
    const names = [theirs, nobodys].map((name) => decodeURIComponent(name));
    assert.equal(bytes(await a!, names[0]!), bytes(await b!, names[1]!), route);
    assert.equal((await a!).status, 404, route);
  }
  assert.ok(app.store.userSessions.get(session.id));
  assert.equal(callerFor(app, chief).tier, "admin");
});
