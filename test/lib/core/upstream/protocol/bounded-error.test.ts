import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubText } from "#lib/core/secrets/mask/text.ts";
import {
  boundedError,
  MAX_ERROR_DATA_SIZE,
  MAX_ERROR_MESSAGE_CHARS,
  maskedError,
} from "#lib/core/upstream/protocol/bounded-error.ts";
import { effortMs } from "#test/kit/effort.ts";

const SECRET = "tangerine-dream-4711";
const mask = (text: string) => text.replaceAll(SECRET, "••••");

test("an error keeps its code, message and data where they are short and hold no secret", () => {
  const error = { code: -32099, message: "no such file", data: { path: "/tmp/x", line: 12, deep: [null, true] } };
  assert.deepEqual(maskedError(boundedError(error), mask), error);
  assert.deepEqual(boundedError({ code: "x" }), { code: -32603, message: "error without a message" });
});

test("secrets of the definition are masked in an error's message, texts and names", () => {
  const data = { [SECRET]: 1, list: [`a ${SECRET} b`, { deep: SECRET }], n: 1.5 };
  const shown = maskedError(boundedError({ code: 1, message: `with ${SECRET}`, data }), mask);
  assert.deepEqual(shown, {
    code: 1,
    message: "with ••••",
    data: { "••••": 1, list: ["a •••• b", { deep: "••••" }], n: 1.5 },
  });
});

test("a long message is cut, says so, and no part of a secret is left at the cut", () => {
  for (const at of [MAX_ERROR_MESSAGE_CHARS - 5, MAX_ERROR_MESSAGE_CHARS + 4090, MAX_ERROR_MESSAGE_CHARS + 4096]) {
    const message = "m".repeat(at - 400) + `${SECRET} `.repeat(19) + SECRET + "m".repeat(10_000);
    const shown = maskedError(boundedError({ code: 1, message }), mask).message;
    assert.match(shown, /\[truncated: an error message may have at most 65536 characters\]$/);
    assert.ok(!shown.includes(SECRET.slice(0, 8)) && shown.length < MAX_ERROR_MESSAGE_CHARS + 100);
  }
});

test("data that is too large or too deep is left out, and says so", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 300; i++) deep = [deep];
  for (const data of [
    "x".repeat(MAX_ERROR_DATA_SIZE + 1),
    new Array(MAX_ERROR_DATA_SIZE).fill(0),
    { ["k".repeat(70_000)]: 1 },
    deep,
  ])
    assert.match(JSON.stringify(boundedError({ code: 1, message: "m", data }).data), /proxy\/left_out/);
});

test("an error of 5,000,000 characters costs less than 50 ms of processor time, its record included", () => {
  const message = "m".repeat(5_000_000);
  const once = () => scrubText(maskedError(boundedError({ code: 1, message }), mask).message.slice(0, 8192));
  once();
  assert.ok(Math.min(...[1, 2, 3].map(() => effortMs(once))) < 50);
});
