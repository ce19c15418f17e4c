import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { everybody, storeScript, type Tier, TWO_SERVERS_SCRIPT, WORLD } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { ready } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";
import {
  callRows,
  endpointRows,
  MATRIX_FILE,
  type MatrixWorld,
  managementRows,
  matrixText,
  routeRows,
  shownRows,
} from "./matrix.ts";

/**
 * Who gets in where: every REST route, MCP endpoint and tool for every kind of caller, with real credentials against
 * the real router. The answers are a file under review, `matrix.txt`; `UPDATE=1 npm test -- test/access/matrix` writes
 * it anew. What no review may let through is asserted on its own in `matrix.ts`.
 */
/** The gated routes by name (spec 000 §5 rule 4). Those that do not exist yet are gated the day they do. */
const GATED = [
  "POST /api/v1/servers",
  "DELETE /api/v1/servers/{name}",
  "PATCH /api/v1/servers/{name}",
  "POST /api/v1/servers/{name}/enable",
  "POST /api/v1/servers/{name}/disable",
  "POST /api/v1/servers/{name}/restart",
  "POST /api/v1/servers/reconnect",
  "POST /api/v1/servers/{name}/quarantine",
  "POST /api/v1/servers/{name}/unquarantine",
  "POST /api/v1/servers/{name}/login",
  "POST /api/v1/servers/{name}/logout",
  "POST /api/v1/servers/{name}/config-to-secret",
  "POST /api/v1/servers/{name}/discover-tools",
  "POST /api/v1/servers/{name}/refresh",
  "POST /api/v1/servers/{name}/items/approve",
  "POST /api/v1/servers/{name}/items/block",
  "POST /api/v1/servers/{name}/tools/approve",
  "POST /api/v1/servers/{name}/tools/block",
  "POST /api/v1/servers/{name}/tools/{tool}/enabled",
  "POST /api/v1/servers/enable_all",
  "POST /api/v1/servers/disable_all",
  "POST /api/v1/servers/restart_all",
  "POST /api/v1/servers/{name}/scan",
  "POST /api/v1/servers/{name}/scan/cancel",
  "POST /api/v1/servers/{name}/security/approve",
  "POST /api/v1/servers/{name}/security/reject",
  "POST /api/v1/config/apply",
  "PATCH /api/v1/config",
  "PATCH /api/v1/config/container-isolation",
  "POST /api/v1/registries",
  "PUT /api/v1/registries/{id}",
  "DELETE /api/v1/registries/{id}",
  "POST /api/v1/registries/{id}/servers/{serverId}/add",
];

let app: TestApp;
let tiers: Tier[];
let world: MatrixWorld;
let closeListener: () => Promise<void>;
/** The rows of each part, in their order in the file. */
const parts: string[][] = [];

before(async () => {
  app = await testApp(WORLD);
  closeListener = (await listenTest(app)).close;
  storeScript(app, "both", TWO_SERVERS_SCRIPT);
  for (const server of ["alpha", "beta"]) await ready(app, server);
  tiers = await everybody(app);
  world = { app, at: app.boot, tiers };
});
after(async () => {
  await closeListener();
  await app.close();
});

verifies(
  ["rest.auth.gate-text", "rest.auth.every-route", "rest.auth.401", "rest.auth.probes", "rest.auth.socket"],
  "every REST route admits whom its declared access admits, and nobody else",
  async () => {
    // An app of its own: some of these would change what the other rows ask about.
    const app = await testApp({ ...WORLD, connect: false });
    const { close } = await listenTest(app);
    try {
      parts.push(await routeRows({ app, at: app.boot, tiers: await everybody(app) }));
    } finally {
      await close();
      await app.close();
    }
  },
);

verifies(
  [
    "rest.auth.gate-servers",
    "rest.auth.gate-tools",
    "rest.auth.gate-bulk",
    "rest.auth.gate-scanner",
    "rest.auth.gate-config",
    "rest.auth.gate-registries",
    "rest.auth.scripts",
  ],
  "every gated route that exists declares administrators, and so does every route that changes anything",
  () => {
    const access = new Map(endpoints.map((e) => [e.route as string, e.spec.access ?? "admin"]));
    for (const route of GATED) if (access.has(route)) assert.equal(access.get(route), "admin", route);
    const changing = endpoints
      .filter((e) => e.method !== "GET" && !["admin", "user", "person"].includes(e.spec.access ?? "admin"))
      .map((e) => e.route);
    for (const route of changing) assert.ok(ASKING.includes(route), `${route} is no GET and not for administrators`);
  },
);

/** What an agent may send that is no GET: it calls tools under its own rights, or asks and changes nothing. */
const ASKING: readonly string[] = [
  "POST /api/v1/code/exec",
  "POST /api/v1/config/validate",
  "POST /api/v1/preflight",
  "POST /api/v1/tools/call",
  // Whoever shows the key signs in with it, and out.
  "POST /ui/session",
  "DELETE /ui/session",
  // Whoever has a passkey signs this.
  "POST /ui/session/challenge",
  // An MCP client proves itself by a code or a token; a registration gives no rights.
  "POST /oauth/register",
  "POST /oauth/revoke",
  "POST /oauth/token",
];

verifies(
  ["mcp.auth.accepted", "mcp.auth.open", "mcp.auth.required"],
  "every MCP endpoint admits agent tokens, the key and the socket, and nobody else where a credential is required",
  async () => void parts.push(await endpointRows(world)),
);

verifies(
  ["rest.auth.token-scope", "mcp.call.read-rejects", "mcp.call.destructive-allows"],
  "a tool is called by whoever reaches its server and has its permission, on every path alike",
  async () => void parts.push(await callRows(world)),
);

test("what is shown of two servers to whom", async () => void parts.push(await shownRows(world)));

test("who may manage servers over MCP", async () => void parts.push(await managementRows(world)));

test("the matrix is what was reviewed; UPDATE=1 writes it anew", () => {
  const text = matrixText(tiers, parts);
  if (process.env.UPDATE) writeFileSync(MATRIX_FILE, text);
  assert.equal(
    text,
    readFileSync(MATRIX_FILE, "utf8"),
    "look at what changed, then run: UPDATE=1 npm test -- test/access/matrix",
  );
});
