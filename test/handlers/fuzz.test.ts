import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { endpoints } from "#handlers/routes.gen.ts";
import { DryRun } from "#lib/core/api/dry-run.ts";
import type { Endpoint } from "#lib/core/api/endpoint.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { named, near, oddText, valid } from "#test/kit/generate.ts";
import { type Answer, ask } from "#test/kit/http.ts";
import { operationOf, type Schema, wrongWith } from "#test/kit/openapi.ts";
import { type Random, seeded } from "#test/kit/random.ts";

/** Other cases: PROXY_TEST_SEED=7 npm test -- test/handlers/fuzz */
const SEED = Number(process.env.PROXY_TEST_SEED ?? 1);
const CASES = 24;

/** What is honest to say of servers that were never connected to. */
const NOT_OURS = ["server_not_ready", "upstream_failed"];

/** Keys of which a value could make this process write elsewhere, listen, or wait. */
const KEPT_OUT = /dir|path|log|listen|wait|timeout|socket|update/;

/** An app in which there is one of everything, and their ids by the part of a path that stands before them. */
const started = (fn: (app: TestApp, ids: Record<string, string>) => Promise<void>) =>
  withApp(
    {
      connect: false,
      config: { update_check: { enabled: false }, enable_code_execution: true },
      servers: [
        { name: "git", command: "no-such-program" },
        { name: "web", command: "no-such-program", enabled: false },
      ],
      tools: { "git:log": "approved", "git:new": "pending", "git:old": "changed", "web:get": "approved" },
    },
    async (app) => {
      await ask(app, "POST /api/v1/tokens", { body: { name: "bot", permissions: ["read"] } });
      await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "git:log" } });
      const { body } = await ask(app, "GET /api/v1/activity?limit=1");
      await fn(app, {
        servers: "git",
        tools: "log",
        tokens: "bot",
        activity: body.data.activities[0].id,
        docs: "start.js",
      });
    },
  );

/** A request from the endpoint's own page of the reference; `bent` has something wrong with it. */
function request(e: Endpoint, ids: Record<string, string>, r: Random, bent: boolean): { line: string; body?: unknown } {
  const { parameters, requestBody } = operationOf(e)!;
  const wrong = (likely: number) => bent && r.below(likely) === 0;
  const path = e.path.replaceAll(/(\w+)\/\{\w+\}/g, (_, kind: string) => {
    const id = wrong(4) ? oddText(r) || "-" : (ids[kind] ?? r.pick(["x", "1"]));
    return `${kind}/${encode(id)}`;
  });
  const query = parameters
    .filter((p) => p.in === "query" && (p.required || r.below(2) === 0))
    .map(({ name, schema }) => `${name}=${encode(wrong(3) ? oddText(r) : String(named(name, schema, r)))}`);
  if (wrong(6)) query.push(`${encode(oddText(r))}=${encode(oddText(r))}`);
  const line = `${e.method} ${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return { line };
  const body = valid(harmless(schema), r);
  return { line, body: bent ? near(body, r) : body };
}

function harmless({ properties = {}, ...schema }: Schema): Schema {
  const kept = Object.entries(properties).filter(([name]) => !KEPT_OUT.test(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** A lone surrogate has no escape. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());

function judge(e: Endpoint, answer: Answer, what: string): void {
  const { status, body } = answer;
  if (!(e.spec.answers?.others?.[status] || NOT_OURS.includes(body.code)))
    assert.ok(status < 500, `${what} → ${status} ${JSON.stringify(body)}`);
  const wrong = wrongWith(e, answer);
  assert.equal(wrong, "", `${what} → ${status}: ${wrong}`);
  // The schemas of the document let members through that they do not name; here there are none.
  const json = answer.headers.get("content-type")?.startsWith("application/json");
  if (status >= 300 || !json || e.path.startsWith("/docs/")) return;
  const data = e.spec.answers?.bare ? body : body.data;
  const schema = e.spec.validates && data.validate_only === true ? DryRun : (e.spec.data as v.GenericSchema);
  assert.deepEqual(v.parse(schema, data), data, what);
}

for (const [i, e] of endpoints.entries())
  test(`${e.route} answers whatever is asked as its reference says, and never with a defect`, () =>
    started(async (app, ids) => {
      const r = seeded(SEED * 1000 + i);
      for (let n = 0; n < CASES; n++) {
        const { line, body } = request(e, ids, r, n % 2 === 1);
        const what = `${line} ${body === undefined ? "" : JSON.stringify(body)}`.slice(0, 1000);
        judge(e, await ask(app, line, { body }), what);
      }
    }));
