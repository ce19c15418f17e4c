import assert from "node:assert/strict";
import { test } from "node:test";
import { SignInMissing, type UpstreamAuthorization } from "#lib/core/upstream/authorization.ts";
import { callTool, startProgram, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

/** A sign-in in memory: what it shows now, and what it does when that is refused. */
function pretended(first: string | undefined) {
  const it = {
    shows: first as string | undefined | (() => string | undefined | Promise<string | undefined>),
    next: undefined as string | undefined,
    refusals: [] as (string | undefined)[],
    challenges: [] as (string | undefined)[],
  };
  const bearer: UpstreamAuthorization = {
    header: () => (typeof it.shows === "function" ? it.shows() : it.shows),
    async handleRefusal(shown, challenge) {
      it.refusals.push(shown);
      it.challenges.push(challenge);
      if (it.next === undefined) return false;
      it.shows = it.next;
      return true;
    },
    missingScopes: () => undefined,
  };
  return {
    it,
    oauth: { bearer: () => bearer, status: () => ({ state: "none" as const, renewable: false }), isSpent: () => false },
  };
}

for (const program of ["upstream-http.mjs", "upstream-sse.mjs"]) {
  const scene = async (first: string | undefined) => {
    const { url } = await startProgram(program, "--token", "good", "--stateless");
    const { it, oauth } = pretended(first);
    const all = testUpstreams({ servers: [{ name: "a", url }], credentials: oauth });
    return { it, all, a: all.upstream("a") };
  };

  test(`${program}: what a sign-in gives is shown with every request, as it is at that moment`, async () => {
    const { all, a } = await scene("Bearer good");
    await until("ready", () => a.status().state === "Ready");
    assert.equal(textOf(await callTool(a, "echo", { text: "hi" })).includes("hi"), true);
    await all.close();
  });

  test(`${program}: a request waits for what must be fetched first`, async () => {
    const { it, all, a } = await scene(undefined);
    await until("it wants a sign-in", () => a.status().authRequired === true);
    it.shows = () => new Promise((done) => setTimeout(() => done("Bearer good"), 20));
    await a.restart("test");
    await Promise.all(Array.from({ length: 5 }, () => callTool(a, "echo", { text: "x" })));
    await all.close();
  });

  test(`${program}: a refused request is repeated once with what else there is`, async () => {
    const { it, all, a } = await scene("Bearer old");
    await until("it wants a sign-in", () => a.status().authRequired === true);
    assert.equal(it.refusals[0], "Bearer old");
    it.next = "Bearer good";
    await a.restart("test");
    assert.equal(a.status().state, "Ready");
    const before = it.refusals.length;
    it.shows = "Bearer old";
    await callTool(a, "echo", { text: "again" });
    assert.ok(it.refusals.length > before);
    it.shows = "Bearer old";
    it.next = "Bearer wrong";
    await assert.rejects(callTool(a, "echo", { text: "x" }), /sign-in/);
    await until("it wants a sign-in", () => a.status().authRequired === true);
    assert.notEqual(a.status().signInRejectedAt, undefined, "it was connected when it rejected the request");
    it.shows = "Bearer good";
    await a.restart("test");
    assert.equal(a.status().signInRejectedAt, undefined, "a restart begins anew");
    await all.close();
  });

  test(`${program}: where a user signed out nothing is sent at all`, async () => {
    const { it, all, a } = await scene("Bearer old");
    await until("it wants a sign-in", () => a.status().authRequired === true);
    const before = it.refusals.length;
    it.shows = () => {
      throw new SignInMissing("a user signed out");
    };
    await assert.rejects(a.restart("test"), /signed out/);
    assert.deepEqual([a.status().authRequired, it.refusals.length], [true, before]);
    await all.close();
  });
}

test("what cannot be renewed just now is a failure of the request, not the loss of the sign-in", async () => {
  const { url } = await startProgram("upstream-http.mjs", "--token", "good");
  const { it, oauth } = pretended("Bearer good");
  const all = testUpstreams({ servers: [{ name: "a", url }], credentials: oauth });
  const a = all.upstream("a");
  await until("ready", () => a.status().state === "Ready");
  it.shows = () => Promise.reject(new Error("the sign-in server is busy"));
  await assert.rejects(callTool(a, "echo", { text: "x" }), /busy/);
  assert.equal(a.status().authRequired, undefined);
  it.shows = "Bearer good";
  await callTool(a, "echo", { text: "x" });
  await all.close();
});
