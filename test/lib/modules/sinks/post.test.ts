import assert from "node:assert/strict";
import { test } from "node:test";
import type { EgressFetchOptions } from "#lib/core/base/egress/egress.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { post } from "#lib/modules/sinks/post.ts";

const signal = new AbortController().signal;

/** Posts through a guarded fetch that only notes what it was asked for. */
async function posted(url: string, allow: readonly string[], fail?: Error): Promise<string[]> {
  const asked: string[] = [];
  const egress = {
    fetch: async (to: string | URL, options: EgressFetchOptions) => {
      assert.equal(options.redirects, 0);
      asked.push(String(to));
      if (fail) throw fail;
      return { status: 200, headers: new Headers(), url, text: "" };
    },
  };
  const config = { current: () => ({ outbound_allow: allow }) } as never;
  await post({ egress, config }, { url, headers: {}, body: "{}" }, signal);
  return asked;
}

test("records are sent without TLS only to hosts that outbound_allow names", async () => {
  const rows: [url: string, allow: string[], isSent: boolean][] = [
    ["https://hooks.example/x", [], true],
    ["http://hooks.example/x", [], false],
    ["http://hooks.example/x", ["other.example"], false],
    ["http://hooks.example/x", ["hooks.example"], true],
    ["http://hooks.example:8080/x", ["hooks.example:80"], false],
    ["http://[::1]:8080/x", ["::1"], true],
  ];
  for (const [url, allow, isSent] of rows)
    if (isSent) assert.equal((await posted(url, allow)).length, 1, url);
    else await assert.rejects(posted(url, allow), /outbound_allow/, url);
});

test("an error does not contain the path of the URL, which may be its credential", async () => {
  const url = "https://hooks.example/services/T0/B0/secret?sig=secret";
  for (const fault of [
    new Fault("fetch_failed", { url, reason: "no response" }),
    new Fault("address_refused", { url, reason: "resolves to 10.0.0.1" }),
  ])
    await assert.rejects(posted(url, [], fault), (error: Error) => {
      assert.doesNotMatch(error.message, /secret/);
      assert.match(error.message, /hooks\.example/);
      return true;
    });
});
