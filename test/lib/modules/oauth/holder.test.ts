import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import type { Credentials, Tokens } from "#lib/modules/oauth/credentials.ts";
import { type HolderOptions, SignInHolder } from "#lib/modules/oauth/holder.ts";
import type { Refusal } from "#lib/modules/oauth/refusal.ts";
import { Refused } from "#lib/modules/oauth/renewer.ts";
import { handClock } from "#test/kit/clock.ts";

const URL_OF = "https://up.example/mcp";
const kept = (tokens: Partial<Tokens> = {}, now = 0): Credentials => ({
  authority: {
    server_url: URL_OF,
    issuer: "https://id.example",
    authorization_endpoint: "https://id.example/auth",
    token_endpoint: "https://id.example/token",
    resource: URL_OF,
  },
  client: { id: "c", method: "none", registered: true, redirect_uri: "http://127.0.0.1/cb" },
  tokens: { access: "a0", refresh: "r0", obtained_at: now, expires_at: now + 100_000, ...tokens },
});

/** What the world around a holder does besides answering. */
interface Acts {
  renew: () => Promise<void>;
  write: () => Promise<void>;
}

/**
 * A holder over memory: what is written, and renewals that answer `a1`, `r1` and so on.
 *
 * @param more further options
 */
function scene(
  initial: Credentials | undefined | Promise<never> = kept(),
  more?: (does: Acts, written: (Credentials | undefined)[]) => Partial<HolderOptions>,
) {
  const clock = handClock(0);
  const written: (Credentials | undefined)[] = [];
  const asked: string[] = [];
  const told: string[] = [];
  const does: Acts = {
    renew: async () => {},
    write: async () => {},
  };
  const holder = new SignInHolder({
    ...more?.(does, written),
    clock,
    read: async () => initial,
    async write(next) {
      await does.write();
      written.push(next);
    },
    async renew(_, tokens) {
      asked.push(tokens.refresh!);
      const n = asked.length;
      await does.renew();
      const now = clock.now();
      return { access: `a${n}`, refresh: `r${n}`, obtained_at: now, expires_at: now + 100_000 };
    },
    wanted: () => true,
    renewed: () => void told.push("renewed"),
    renewalFailed: (_, final) => void told.push(final ? "ended" : "failed"),
    changed: () => {},
  });
  const refuse = (refusal: Refusal) => {
    does.renew = () => Promise.reject(new Refused(refusal));
  };
  return { clock, holder, bearer: holder.bearer(URL_OF), written, asked, told, does, refuse };
}

test("what is shown is at hand without a promise once it is known", async () => {
  const { bearer } = scene();
  assert.equal(await bearer.header(), "Bearer a0");
  assert.equal(bearer.header(), "Bearer a0");
});

test("what is kept and cannot be opened asks for a new sign-in; a disk that fails and a database that is away do not", async () => {
  const rows: [cause: Error, name: string][] = [
    [new Error("its stored sign-in is damaged; sign in again"), "SignInMissing"],
    [new Fault("database_damaged", { file: "proxy.db", reason: "malformed" }), "SignInMissing"],
    [new Fault("disk_failed", { reason: "EIO" }), "Error"],
    [new Fault("cluster_database_away", { reason: "no answer" }), "Error"],
  ];
  for (const [cause, name] of rows) {
    const { bearer } = scene(Promise.reject(new Error("the sign-in kept for it cannot be opened", { cause })));
    await assert.rejects(async () => bearer.header(), { name, message: /cannot be opened/ });
  }
});

test("a token is shown to the server it was given for alone", async () => {
  const { holder, bearer } = scene();
  assert.equal(await bearer.header(), "Bearer a0");
  for (const other of ["https://up.example/other", "https://evil.example/mcp", "http://up.example/mcp"])
    assert.equal(holder.bearer(other).header(), undefined, other);
});

test("a renewed token is shown only when it is durable; one the disk refuses is written later, not asked for again", async () => {
  const { clock, bearer, holder, written, asked, does } = scene();
  await holder.read();
  does.write = () => Promise.reject(new Error("disk full"));
  await clock.advance(80_000);
  assert.deepEqual([asked, written, bearer.header()], [["r0"], [], "Bearer a0"]);

  await clock.advance(25_000);
  await assert.rejects(async () => await bearer.header(), /disk full/);
  does.write = async () => {};
  await clock.advance(5000);
  assert.equal(await bearer.header(), "Bearer a1");
  assert.deepEqual([asked, written.length, written[0]?.tokens?.refresh], [["r0"], 1, "r1"]);
});

/** A holder whose stored credentials other replicas change, too; a change reads before it writes, as in a database. */
const sharedScene = () => {
  let stored = kept();
  const claims: string[] = [];
  const own = scene(stored, (does, written) => ({
    read: async () => stored,
    async change(edit) {
      await does.write();
      stored = edit(stored);
      written.push(stored);
      return stored;
    },
    async exclusively(work) {
      claims.push("begins");
      await work().finally(() => claims.push("ends"));
    },
  }));
  const change = (next: Partial<Credentials>) => {
    stored = { ...stored, ...next };
  };
  return { ...own, claims, change, stored: () => stored };
};

test("a renewed token that the database does not take is stored under the same claim, and requested once", async () => {
  const { clock, holder, asked, written, does, claims, stored } = sharedScene();
  await holder.read();
  let failures = 2;
  does.write = async () => {
    if (failures-- > 0) throw new Error("the database is away");
  };

  await clock.advance(75_000);
  assert.deepEqual([asked, written.length, claims], [["r0"], 0, ["begins"]]);
  await clock.advance(1000);

  assert.deepEqual([asked, written.length, claims], [["r0"], 1, ["begins", "ends"]]);
  assert.deepEqual([stored().tokens?.refresh, holder.bearer(URL_OF).header()], ["r1", "Bearer a1"]);
});

test("a renewed token that could not be stored for long is stored by the next attempt, not requested again", async () => {
  const { clock, holder, asked, does, claims, stored } = sharedScene();
  await holder.read();
  does.write = () => Promise.reject(new Error("the database is away"));
  await clock.advance(75_000 + 15_000);
  assert.deepEqual([asked, claims], [["r0"], ["begins", "ends"]]);

  does.write = async () => {};
  await clock.advance(25_000);
  assert.equal(await holder.bearer(URL_OF).header(), "Bearer a1");

  assert.deepEqual([asked, stored().tokens?.refresh], [["r0"], "r1"]);
});

test("a renewed token does not replace what another replica stored meanwhile", async () => {
  const { clock, holder, does, change, stored } = sharedScene();
  await holder.read();
  let failures = 1;
  does.write = async () => {
    if (failures-- > 0) throw new Error("the database is away");
  };
  await clock.advance(75_000);
  change({ tokens: { access: "new", refresh: "new-r", obtained_at: clock.now() }, needs: ["b"] });
  await clock.advance(1000);

  assert.deepEqual([stored().tokens?.access, stored().needs], ["new", ["b"]]);
});

test("one renewal serves everybody, and a failed one is not repeated by each who asks", async () => {
  const { clock, bearer, holder, asked, refuse, does } = scene(kept({ expires_at: 10_000, obtained_at: 0 }));
  await holder.read();
  refuse({ kind: "passing", text: "busy" });
  await clock.advance(11_000);
  const all = await Promise.allSettled(Array.from({ length: 50 }, async () => await bearer.header()));
  assert.ok(all.every(({ status }) => status === "rejected"));
  assert.equal(asked.length, 1);
  does.renew = async () => {};
  await clock.advance(20_000);
  assert.equal(await bearer.header(), "Bearer a2");
  assert.equal(asked.length, 2);
});

for (const [what, refusal, ends] of [
  ["a grant that is not accepted", { kind: "grant", text: "invalid_grant" }, true],
  ["a registered client that is not known", { kind: "client", text: "invalid_client" }, true],
  ["no answer", { kind: "passing", text: "timeout" }, false],
  ["an answer that makes no sense", { kind: "answer", text: "?" }, false],
  ["a no", { kind: "denied", text: "no" }, false],
] as const)
  test(`${what} ${ends ? "ends" : "never ends"} what a sign-in can be renewed with`, async () => {
    const { clock, holder, refuse, told } = scene();
    await holder.read();
    refuse(refusal);
    await clock.advance(80_000);
    assert.deepEqual([holder.status().renewable, told[0]], [!ends, ends ? "ended" : "failed"]);
    assert.equal((await holder.read())?.tokens?.access, "a0");
  });

test("a client configured by hand that is not known keeps what it has: a person may mend its secret", async () => {
  const own = kept();
  const { clock, holder, refuse } = scene({ ...own, client: { ...own.client!, registered: false } });
  await holder.read();
  refuse({ kind: "client", text: "invalid_client" });
  await clock.advance(80_000);
  assert.equal(holder.status().renewable, true);
});

test("whoever signs in again while an old token is renewed is not overwritten by it", async () => {
  const { clock, holder, bearer, does } = scene();
  await holder.read();
  let go = () => {};
  does.renew = () => new Promise((done) => (go = done));
  await clock.advance(80_000);
  await holder.change((now) => ({ ...now, tokens: { access: "new", refresh: "new-r", obtained_at: clock.now() } }));
  go();
  await clock.advance(1);
  assert.equal(bearer.header(), "Bearer new");
});

test("a token refused when it was just given is no reason to renew for ever", async () => {
  const { clock, bearer, asked } = scene();
  assert.equal(await bearer.handleRefusal("Bearer a0", undefined), false);
  await clock.advance(6000);
  assert.equal(await bearer.handleRefusal("Bearer a0", undefined), true);
  assert.equal(await bearer.handleRefusal("Bearer a1", undefined), false);
  assert.equal(await bearer.handleRefusal("Bearer a0", undefined), true);
  assert.equal(asked.length, 1);
});

test("a clock that is set back or far ahead renews no more than once", async () => {
  const ahead = kept({ obtained_at: 1_000_000_000, expires_at: 1_000_100_000 });
  const { clock, holder, asked } = scene(ahead);
  await holder.read();
  await clock.advance(60_000);
  assert.deepEqual(asked, []);
  assert.equal(await holder.bearer(URL_OF).handleRefusal("Bearer a0", undefined), true);
  const past = scene(kept({ obtained_at: -1_000_000_000, expires_at: -999_900_000 }));
  await past.holder.read();
  await past.clock.advance(60_000);
  assert.deepEqual(past.asked, ["r0"]);
});

test("after signing out nothing is shown, and whoever asks hears that a person is needed", async () => {
  const { holder, bearer } = scene({ ...kept(), signed_out: true, tokens: undefined as never });
  await holder.read();
  assert.throws(() => bearer.header(), /signed out/);
});
