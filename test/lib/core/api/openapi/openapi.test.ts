import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import * as v from "valibot";
import { endpoints } from "#handlers/routes.gen.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { openapiDocument } from "#lib/core/api/openapi/openapi.ts";
import { FAULTS } from "#lib/core/base/fault.ts";
import { type Document, operationOf, reference, wrongWith } from "#test/kit/openapi.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies("rest.version.openapi", "the document is OpenAPI 3.1, and has every endpoint at its route", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(reference) as object as Record<string, unknown>,
  );
  assert.ok(valid, JSON.stringify(errors, null, 1)?.slice(0, 3000));
  assert.match(reference.openapi, /^3\.1\./);
  for (const e of endpoints) {
    const operation = operationOf(e);
    assert.ok(operation, `${e.route} is not in the document`);
    assert.deepEqual(
      operation.parameters.filter((p) => p.in === "path").map((p) => `{${p.name}}`),
      e.path.match(/\{\w+\}/g) ?? [],
    );
  }
  const operations = Object.values(reference.paths).flatMap((path) => Object.values(path));
  assert.equal(operations.length, endpoints.length);
  assert.equal(new Set(operations.map((o) => o.operationId)).size, endpoints.length);
});

test("every reference within the document leads somewhere", () => {
  const text = JSON.stringify(reference);
  for (const [, to] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let at: unknown = reference;
    for (const part of to!.split("/")) at = (at as Record<string, unknown> | undefined)?.[part];
    assert.ok(at, `#/${to}`);
  }
});

const ROUTE = endpoint("PATCH /api/v1/things/{name}", {
  summary: "Change a thing",
  access: "admin",
  query: v.object({ q: v.pipe(v.string(), v.description("what")), n: v.optional(v.string(), "1") }),
  body: v.object({ size: v.optional(v.number()) }),
  data: v.object({ size: v.number() }),
  flat: true,
  faults: ["already_exists"],
  run: () => ({ size: 1 }),
});
const OPEN = endpoint("GET /things/", {
  summary: "Things",
  access: "open",
  data: v.string(),
  answers: { json: false, types: ["text/csv"], others: { 503: v.object({ ready: v.boolean() }) } },
  run: () => "",
});

test("an operation tells parameters, body, answers, errors and credentials of its endpoint", () => {
  const { paths } = openapiDocument([ROUTE, OPEN], { version: "1", baseUrl: "http://a" }) as unknown as Document;
  const { patch } = paths["/api/v1/things/{name}"]!;
  assert.ok(patch);
  assert.deepEqual(patch.tags, ["things"]);
  assert.deepEqual(
    patch.parameters.map((p) => [p.name, p.in, p.required ?? false]),
    [
      ["name", "path", true],
      ["q", "query", true],
      ["n", "query", false],
      ["X-Request-Id", "header", false],
    ],
  );
  assert.deepEqual(Object.keys(patch.requestBody!.content["application/json"]!.schema.properties!), ["size"]);
  const { required, properties } = patch.responses["200"]!.content!["application/json"]!.schema;
  assert.deepEqual(required, ["success", "data", "size"]);
  assert.deepEqual(Object.keys(properties!).sort(), ["data", "size", "success"]);
  assert.deepEqual(Object.keys(patch.responses), [
    "200",
    "400",
    "401",
    "403",
    "409",
    "413",
    "415",
    "429",
    "431",
    "500",
    "503",
  ]);
  assert.equal(patch.security, undefined);

  const { get } = paths["/things/"]!;
  assert.ok(get);
  assert.deepEqual(get.security, []);
  assert.deepEqual(Object.keys(get.responses), ["200", "400", "403", "431", "500", "503"]);
  assert.deepEqual(Object.keys(get.responses["200"]!.content!), ["text/csv"]);
});

test("an error shows each of its codes with its text, facts by name", () => {
  const answer = operationOf(endpoints.find((e) => e.route === "POST /api/v1/servers")!)!.responses[
    "409"
  ] as unknown as {
    description: string;
    content: Record<string, { examples: Record<string, { $ref: string }> }>;
  };
  const { $ref } = answer.content["application/json"]!.examples.already_exists!;
  assert.match(answer.description, /`already_exists`: \{what\} "\{name\}" already exists/);
  assert.equal($ref, "#/components/examples/already_exists");
  assert.equal(reference.components.examples.already_exists!.value.code, "already_exists");
  assert.equal(FAULTS.already_exists.status, 409);
});

verifies("rest.version.openapi", "what is answered in several places has one name, and each name is used", () => {
  const text = JSON.stringify(reference);
  for (const name of Object.keys(reference.components.schemas))
    assert.ok(text.includes(`"#/components/schemas/${name}"`), `${name} is referred to nowhere`);
  const { data } = operationOf({ method: "GET", path: "/api/v1/servers/{name}" })!.responses["200"]!.content![
    "application/json"
  ]!.schema.properties!;
  assert.deepEqual(data, { $ref: "#/components/schemas/Server" });
  assert.ok(reference.components.schemas.Server?.properties?.health);
});

test("every parameter says what it is, and one of a few words says which", () => {
  const params = endpoints.flatMap((e) => operationOf(e)!.parameters);
  const silent = params.filter((p) => !(p as { description?: string }).description).map(({ name }) => name);
  assert.deepEqual([...new Set(silent)], []);
  const { parameters } = operationOf({ method: "GET", path: "/api/v1/activity" })!;
  assert.deepEqual(parameters.find((p) => p.name === "status")?.schema.enum, [
    "success",
    "error",
    "blocked",
    "rejected",
  ]);
});

test("an answer that is not documented is told from one that is", () => {
  const e = endpoints.find((e) => e.route === "GET /healthz")!;
  const headers = new Headers({ "content-type": "application/json" });
  assert.equal(wrongWith(e, { status: 200, headers, body: { status: "ok" } }), "");
  assert.match(wrongWith(e, { status: 200, headers, body: { status: "bad" } }), /must be equal/);
  assert.match(wrongWith(e, { status: 418, headers, body: {} }), /418 is not documented/);
  assert.match(wrongWith(e, { status: 400, headers, body: { error: "x" } }), /required/);
});
