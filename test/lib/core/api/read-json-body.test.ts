import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonObject, readJsonBody } from "#lib/core/api/read-json-body.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { verifies } from "#test/kit/verifies.ts";

const post = (body: string | Uint8Array | ReadableStream, type: string | null = "application/json") =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    duplex: "half",
    headers: type === null ? {} : { "content-type": type },
  } as RequestInit);

const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail("was taken"),
    (e) => e,
  );
  assert.ok(error instanceof Fault, String(error));
  return { code: error.code, text: error.message };
};

verifies("rest.endpoints.json", "a body is one JSON object of a JSON type", async () => {
  assert.deepEqual(await readJsonBody(post('{"a":1}')), { a: 1 });
  assert.deepEqual(await readJsonBody(post('\uFEFF{"a":1}', "application/json; charset=utf-8")), { a: 1 });
  assert.deepEqual(await readJsonBody(post('{"a":1}', "application/merge-patch+json")), { a: 1 });
  assert.deepEqual(await readJsonBody(post(new TextEncoder().encode('{"a":1}'), null)), { a: 1 });

  assert.equal((await refusal(readJsonBody(post('{"a":1}', "text/plain")))).code, "unsupported_media_type");
  for (const [body, what] of [
    ["[1]", "an array"],
    ["null", "null"],
    ["1", "a number"],
    ['"x"', "a string"],
    ["true", "a boolean"],
  ] as const)
    assert.deepEqual(await refusal(readJsonBody(post(body))), {
      code: "invalid_request",
      text: `the body must be a JSON object, not ${what}`,
    });
  assert.match((await refusal(readJsonBody(post("  ")))).text, /empty/);
});

test("a compressed body is refused by the name of its encoding; identity means none", async () => {
  const encoded = (encoding: string) => {
    const request = post('{"a":1}');
    request.headers.set("content-encoding", encoding);
    return readJsonBody(request);
  };

  assert.deepEqual(await refusal(encoded("gzip")), {
    code: "unsupported_media_type",
    text: "cannot read a body with Content-Encoding: gzip; send it uncompressed",
  });
  assert.deepEqual(await encoded("Identity"), { a: 1 });
});

test("broken JSON is refused with its line and column, without quoting the body", async () => {
  const { code, text } = await refusal(readJsonBody(post('{\n  "password": hunter2\n}')));

  assert.equal(code, "invalid_request");
  assert.match(text, /line 2, column 15/);
});

test("a body larger than the limit is refused, whether or not it says its size", async () => {
  const endless = new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) });

  assert.equal((await refusal(readJsonBody(post("x".repeat(101)), 100))).code, "body_too_large");
  assert.equal((await refusal(readJsonBody(post(endless), 1 << 20))).code, "body_too_large");
  assert.deepEqual(await readJsonBody(post(`{"a":"${"x".repeat(92)}"}`), 100), { a: "x".repeat(92) });
});

test("broken UTF-8 is refused", async () => {
  const { text } = await refusal(readJsonBody(post(Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))));

  assert.equal(text, "the body is not valid UTF-8");
});

test("nesting is bounded before anything walks it", () => {
  const deep = (n: number) => `{"a":${"[".repeat(n - 1)}${"]".repeat(n - 1)}}`;

  assert.ok(parseJsonObject(deep(100)));
  assert.throws(() => parseJsonObject(deep(101)), /nested/);
  assert.throws(() => parseJsonObject(deep(400_000)), /nested/);
});

test("a key called __proto__ is refused at any depth and in any spelling", () => {
  for (const text of ['{"__proto__":{}}', '{"a":[{"__proto__":1}]}', '{"a":{"\\u005f_proto__":1}}'])
    assert.throws(() => parseJsonObject(text), /__proto__/, text);
  assert.deepEqual(parseJsonObject('{"a":"__proto__"}'), { a: "__proto__" });
});

test("half a character is refused as a value and as a key, a whole one is taken", () => {
  for (const text of ['{"a":"\\ud800"}', '{"a":["x\\udc00"]}', '{"\\ud800":1}'])
    assert.throws(() => parseJsonObject(text), /surrogate/, text);
  assert.deepEqual(parseJsonObject('{"a":"\\ud83d\\udca9"}'), { a: "💩" });
});

test("a key given twice in one object is refused with its place, at any depth and in any spelling", async () => {
  const twice = (text: string) => refusal(readJsonBody(post(text)));

  const { code, text } = await twice('{"tools":[{"id":"a:b","pin":"x",\n"pin":"y"}]}');
  assert.equal(code, "invalid_request");
  assert.equal(text, 'the body cannot be read as JSON: the key "pin" already occurs on line 1 (line 2, column 1)');
  assert.match((await twice('{"a":1,"\\u0061":2}')).text, /the key "a" already occurs/);
  const fine = { a: 'b":"c', "b:": [{ a: 1 }, { a: 2, "\\": "\\" }], c: { a: {} } };
  assert.deepEqual(await readJsonBody(post(JSON.stringify(fine))), fine);
});

test("where a long text is broken is not looked for", async () => {
  const long = `"${"x".repeat(1 << 20)}"`;

  assert.match(
    (await refusal(readJsonBody(post(`{"a":${long},"a":1}`), 1 << 22))).text,
    /an object contains a key twice/,
  );
  assert.match((await refusal(readJsonBody(post(`{"a":${long},}`), 1 << 22))).text, /too long to locate it/);
});
