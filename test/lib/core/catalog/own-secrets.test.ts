import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, call } from "#test/kit/http.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { folder } from "#test/kit/program.ts";
import { until } from "#test/kit/until.ts";

const REGION = "eu-central-1";
const TOOL = "create_note";

/** Tools as a careless server lists them. */
const toolsWith = (secrets: readonly string[]) => [
  {
    name: TOOL,
    title: `Note for ${secrets[0]}`,
    description: `Uses ${secrets.join(" and ")} in ${REGION}.`,
    inputSchema: {
      type: "object",
      properties: {
        key: { type: "string", default: secrets[0], enum: secrets },
        [`x${secrets[1]}`]: { type: "string" },
      },
      required: [`x${secrets[1]}`],
    },
    annotations: { title: secrets[2] },
    _meta: { [`vendor/${secrets[0]}`]: encodeURIComponent(secrets[1]!) },
    icons: [{ src: `https://example.com/a.png?key=${secrets[2]}` }],
  },
];

test("a tool that repeats secrets of its server is masked wherever it is listed, stored or locked; a rotation asks nobody", async (t) => {
  const file = join(folder(t), "tools.json");
  const first = ["plum-Orchard-tangerine-77", "quince/Meadow+saffron=12", "walnut-Harbour-cinnamon-31"] as const;
  writeFileSync(file, JSON.stringify(toolsWith(first)));
  const env = { OWN_TOKEN: first[0], OTHER: "${env:UP_TOKEN}", PASSWORD: "${env:KEPT}", REGION: "${env:REGION}" };
  const { app, client } = await serve(t, {
    servers: [{ ...program("up", "--tools-file", file), env, trust_mode: "manual", quarantined: false }],
    connect: true,
    env: { UP_TOKEN: first[1], KEPT: first[2], REGION },
  });
  const id = `up:${TOOL}`;
  const seen = async () => {
    const all = [
      await (await client("/mcp/all")).listTools(),
      await call(app, "GET /api/v1/tools", {}),
      await call(app, "GET /api/v1/servers/{name}/tools", { params: { name: "up" } }),
      await call(app, "GET /api/v1/servers/{name}/tools/export", { params: { name: "up" } }),
      await call(app, "GET /api/v1/servers/{name}/tools/{tool}/diff", { params: { name: "up", tool: TOOL } }),
      await call(app, "GET /api/v1/lock", {}),
      app.store.approvals.all(),
      (await ask(app, `GET /api/v1/index/search?q=${TOOL}`)).body,
    ];
    return JSON.stringify(all);
  };
  const shown = await seen();
  const pin = app.catalog.get(id)!.hash;

  assert.equal(app.catalog.get(id)?.description, `Uses •••• and •••• and •••• in ${REGION}.`);
  for (const secret of first)
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")])
      assert.ok(!shown.includes(form), form);

  const rotated = ["pear-Valley-which-is-longer-1", first[1], first[2]];
  writeFileSync(file, JSON.stringify(toolsWith(rotated)));
  const before = app.upstreams.get("up")?.status().pid;
  await call(app, "PATCH /api/v1/servers/{name}", {
    params: { name: "up" },
    body: { env: { ...env, OWN_TOKEN: rotated[0]! } },
  });
  await until("the new process", () => {
    const { pid, state } = app.upstreams.get("up")!.status();
    return pid !== before && state === "Ready";
  });
  await until("the new listing", () => app.catalog.get(id)?.present === true);

  const again = await seen();
  for (const secret of rotated) assert.ok(!again.includes(secret), secret);
  assert.deepEqual([app.catalog.get(id)?.hash, app.catalog.get(id)?.status], [pin, "approved"]);
});
