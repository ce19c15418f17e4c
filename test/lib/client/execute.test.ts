import assert from "node:assert/strict";
import { test } from "node:test";
import type { RestRequest, Send } from "#lib/client/client.ts";
import { execute } from "#lib/client/execute.ts";

const answering = (status: number, body: unknown): Send & { asked: RestRequest[] } => {
  const asked: RestRequest[] = [];
  const send: Send = async (a) => {
    asked.push(a);
    return { status, text: typeof body === "string" ? body : JSON.stringify(body) };
  };
  return Object.assign(send, { asked });
};
const refusal = { ok: false, error: { code: "SCRIPT_NOT_FOUND", message: "no such script" }, request_id: "r" };
const thrown = { ok: false, error: { code: "RUNTIME_ERROR", message: "x", stack: "x\n  at script.js:1" } };

test("an execution is asked for with its own request id, and its bare envelope is the answer", async () => {
  const send = answering(200, { ok: true, value: { n: 1 } });

  const executed = await execute(send, { code: "1", options: { timeout_ms: 5 } }, { requestId: "mine" });

  assert.deepEqual(executed, { status: 200, envelope: { ok: true, value: { n: 1 } } });
  const [{ method, path, body, requestId }] = send.asked as [RestRequest];
  assert.deepEqual([method, path, requestId], ["POST", "/api/v1/code/exec", "mine"]);
  assert.equal(body, '{"code":"1","options":{"timeout_ms":5}}');
});

test("a script that threw and a refusal are envelopes too, told apart by their status", async () => {
  assert.deepEqual(await execute(answering(200, thrown), {}, {}), { status: 200, envelope: thrown });
  assert.deepEqual(await execute(answering(404, refusal), {}, {}), { status: 404, envelope: refusal });
});

test("a refusal at the listener is an error in the general shape", async () => {
  const body = { success: false, error: "missing or invalid credentials", code: "unauthenticated", request_id: "r1" };

  await assert.rejects(execute(answering(401, body), {}, {}), {
    name: "RestError",
    status: 401,
    code: "unauthenticated",
    requestId: "r1",
  });
});

test("what is no envelope is not taken for one", async () => {
  for (const body of [
    "<html>",
    "",
    "null",
    "[]",
    {},
    { ok: 1 },
    { ok: false },
    { ok: false, error: "text" },
    { ok: false, error: { code: "X" } },
  ])
    await assert.rejects(execute(answering(200, body), {}, {}), (error: Error) =>
      /has status 200 and is not JSON|^text$/.test(error.message),
    );
});
