import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { sendJson } from "#lib/core/mcp/send-json.ts";

const TEXTS = {
  ASCII: '{"text":"plain"}',
  "control characters": '"\\u0000 \u007f"',
  "Latin-1": '{"text":"café ÿ"}',
  "two bytes each": '{"text":"Ω"}',
  "an emoji": '{"text":"🦊"}',
  "half an emoji": '{"text":"\\ud83e"}',
  empty: "",
  "large ASCII": JSON.stringify("a".repeat(300 * 1024)),
  "large, not ASCII": JSON.stringify("é".repeat(300 * 1024)),
};

for (const [what, text] of Object.entries(TEXTS))
  test(`the body and its length are the UTF-8 bytes of the text: ${what}`, async (t) => {
    const server = createServer((_, res) => sendJson(res, 200, text, ["x-kind", "test"]));
    t.after(() => server.close());
    await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));

    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const body = Buffer.from(await answer.arrayBuffer());

    assert.ok(body.equals(new TextEncoder().encode(text)));
    assert.equal(answer.headers.get("content-length"), String(body.length));
    assert.equal(answer.headers.get("x-kind"), "test");
  });
