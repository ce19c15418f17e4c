import assert from "node:assert/strict";
import { test } from "node:test";
import { forwardedCapabilities, relayInputRequired } from "#lib/core/mcp/input-required.ts";

const form = { method: "elicitation/create", params: { mode: "form", message: "Your name?" } };
const older = { method: "elicitation/create", params: { message: "Your name?" } };
const page = { method: "elicitation/create", params: { mode: "url", message: "Sign in", url: "https://x.example" } };
const sample = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
const tooled = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1, tools: [] } };
const roots = { method: "roots/list", params: {} };

const relay = (result: object, capabilities: object = { elicitation: {}, sampling: {}, roots: {} }) =>
  JSON.parse(
    relayInputRequired(
      { resultType: "input_required", ...result },
      {
        server: "up",
        capabilities: { ...capabilities },
        seal: (state) => `sealed ${state}`,
      },
    ),
  );
const asking = (request: unknown) => ({ inputRequests: { one: request } });

test("a question is passed on whole, with its state sealed", () => {
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const question = { ...form, params: { ...form.params, requestedSchema } };

  const result = relay({
    inputRequests: { name: question, greeting: sample, roots },
    requestState: "s",
    _meta: { "test/own": 1 },
  });

  assert.deepEqual(result, {
    resultType: "input_required",
    inputRequests: {
      name: { method: "elicitation/create", params: { mode: "form", message: "Your name?", requestedSchema } },
      greeting: sample,
      roots,
    },
    requestState: "sealed s",
    _meta: { "test/own": 1 },
  });
});

test("an upstream may ask for nothing but another try, and need not keep a state", () => {
  assert.deepEqual(relay({ requestState: "s" }, {}), { resultType: "input_required", requestState: "sealed s" });
  assert.equal("requestState" in relay(asking(roots)), false);
});

const CAPABLE: [says: string, request: object, capabilities: object, missing: object | undefined][] = [
  ["a form, undeclared", form, {}, { elicitation: {} }],
  ["a form", form, { elicitation: {} }, undefined],
  ["a form, by name", form, { elicitation: { form: {} } }, undefined],
  ["a form, pages only", form, { elicitation: { url: {} } }, { elicitation: {} }],
  ["a form without a mode", older, { elicitation: {} }, undefined],
  ["a page, forms only", page, { elicitation: {} }, { elicitation: { url: {} } }],
  ["a page", page, { elicitation: { url: {} } }, undefined],
  ["a sample, undeclared", sample, { elicitation: {} }, { sampling: {} }],
  ["a sample", sample, { sampling: {} }, undefined],
  ["a sample with tools", tooled, { sampling: {} }, { sampling: { tools: {} } }],
  ["a sample with tools, declared", tooled, { sampling: { tools: {} } }, undefined],
  ["roots, undeclared", roots, {}, { roots: {} }],
  ["roots", roots, { roots: {} }, undefined],
  ["declared by what is no object", roots, { roots: true }, { roots: {} }],
];
for (const [says, request, capabilities, missing] of CAPABLE)
  test(`a client is asked for what it declared alone: ${says}`, () => {
    if (!missing) return assert.ok(relay(asking(request), capabilities));
    assert.throws(() => relay(asking(request), capabilities), {
      name: "RpcError",
      code: -32021,
      data: { requiredCapabilities: missing },
    });
  });

const NO_QUESTIONS: [says: string, result: object][] = [
  ["nothing at all", {}],
  ["a list", { inputRequests: [form] }],
  ["a state that is no text", { requestState: { a: 1 } }],
  ["a kind nobody knows", asking({ method: "tools/call", params: {} })],
  ["no object", asking("name?")],
  ["no method", asking({ params: {} })],
];
for (const [says, result] of NO_QUESTIONS)
  test(`what is no question is the upstream's failure: ${says}`, () => {
    assert.throws(() => relay(result), { code: "upstream_failed" });
  });

test("upstreams are told of a client what they can ask it for", () => {
  const all = {
    elicitation: { form: {} },
    sampling: {},
    roots: { listChanged: true },
    experimental: {},
    extensions: {},
  };

  assert.deepEqual(forwardedCapabilities(all), {
    elicitation: { form: {} },
    sampling: {},
    roots: { listChanged: true },
  });
  assert.deepEqual(forwardedCapabilities({ elicitation: true }), {});
});
