import assert from "node:assert/strict";
import type { TokenRow } from "#lib/core/schema/token.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import type { Store } from "#lib/core/store/store.ts";
import { activityRecord, approvalRow, putApprovals, putToken, putUser } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import type { ContractCase } from "./store-contract.ts";

/** A case of two stores on the same data. */
const withBoth =
  (run: (a: Store, b: Store) => Promise<void>): ContractCase[1] =>
  async ({ store, beside }) =>
    await run(store, await beside!());

const token: TokenRow = {
  name: "a",
  hash: "h",
  prefix: "mcp_agt_0000",
  servers: ["*"],
  permissions: ["read"],
  createdAt: 1,
  expiresAt: 2,
};
const user: UserRow = {
  id: "u",
  issuer: "https://id.example",
  subject: "s",
  email: "u@example.com",
  groups: [],
  admin: false,
  off: [],
  createdAt: 1,
  signedInAt: 0,
  bearersAfter: 0,
};

export const secondStoreCases: readonly ContractCase[] = [
  [
    "neither store loses a change of the other, though both change the same rows at once",
    withBoth(async (a, b) => {
      await putApprovals(a.approvals, [approvalRow("git", "log", { updatedAt: 0 })]);
      await until("the other store has the row", () => b.approvals.get("git", "log") !== undefined);

      for (let round = 0; round < 20; round++)
        await Promise.all(
          [a, b].map(({ approvals }) =>
            approvals.changeAll("git", ["log"], (row) => row && { ...row, updatedAt: row.updatedAt + 1 }),
          ),
        );

      const both = () => [a, b].map(({ approvals }) => approvals.get("git", "log")?.updatedAt);
      await until("both stores have all changes", () => both().every((value) => value === 40));
    }),
  ],
  [
    "a document is at once what the other store has just made it",
    withBoth(async (a, b) => {
      for (let n = 1; n <= 10; n++) {
        await a.documents.set("k", n);
        let seen: unknown;
        const returned = await b.documents.change("k", (current) => {
          seen = current;
          return undefined;
        });
        assert.deepEqual([seen, returned, await b.documents.get("k")], [n, n, n]);
      }
    }),
  ],
  [
    "a discovery and a decision meet, and each keeps the other's fields",
    withBoth(async (a, b) => {
      await putApprovals(a.approvals, [approvalRow("git", "log")]);
      await until("the other store has the row", () => b.approvals.get("git", "log") !== undefined);

      const [, decided] = await Promise.all([
        a.approvals.changeAll("git", ["log"], (row) => row && { ...row, currentHash: "new" }),
        b.approvals.changeAll("git", ["log"], (row) => row && { ...row, disabled: true }),
      ]);

      assert.equal(decided[0]?.after?.disabled, true);
      await until("both stores have both changes", () =>
        [a, b].every(({ approvals }) => {
          const row = approvals.get("git", "log");
          return row?.disabled && row.currentHash === "new";
        }),
      );
    }),
  ],
  [
    "a token that one store revokes or removes is so at the other, and its listeners hear it once",
    withBoth(async (a, b) => {
      await putToken(a.tokens, token);
      await until("the other store has the token", () => b.tokens.byHash("h") !== undefined);
      const heard: string[] = [];
      b.tokens.onChange((name) => heard.push(name));

      await a.tokens.change("a", (row) => row && { ...row, revokedAt: 5 });
      await until("the token is revoked", () => b.tokens.get("a")?.revokedAt === 5);
      assert.deepEqual(heard, ["a"]);
      await a.tokens.change("a", () => "remove");
      await until("the token is removed", () => !b.tokens.byHash("h"));

      assert.deepEqual(heard, ["a", "a"]);
    }),
  ],
  [
    "an identity that signs in at both stores at once has one user",
    withBoth(async (a, b) => {
      const signIn = ({ users }: Store, id: string) =>
        users.changeBySubject(user.issuer, user.subject, (row) => ({
          ...(row ?? { ...user, id }),
          signedInAt: (row?.signedInAt ?? 0) + 1,
        }));

      await Promise.all([signIn(a, "a"), signIn(b, "b")]);

      await until("both stores have both sign-ins", () =>
        [a, b].every(({ users }) => users.all().length === 1 && users.all()[0]?.signedInAt === 2),
      );
      assert.equal(a.users.all()[0]?.id, b.users.all()[0]?.id);
    }),
  ],
  [
    "a change that throws because of what the other store wrote is rejected, and is no longer seen",
    withBoth(async (a, b) => {
      const create = ({ users }: Store) =>
        users.changeBySubject(user.issuer, user.subject, (row) => {
          if (row) throw new Error("taken");
          return user;
        });

      const outcomes = await Promise.allSettled([create(a), create(b)]);

      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      await until("both stores have the user", () => [a, b].every(({ users }) => users.all().length === 1));
    }),
  ],
  [
    "the rows of a removed server are gone at both, also those that the remover did not know yet",
    withBoth(async (a, b) => {
      const added = putApprovals(b.approvals, [approvalRow("git", "log"), approvalRow("mail", "log")]);
      await added;
      await a.approvals.removeServer("git");

      await until("both stores have the other server alone", () =>
        [a, b].every(({ approvals }) => approvals.all().every(({ server }) => server === "mail")),
      );
    }),
  ],
  [
    "one store reads the records, sessions and documents of the other",
    withBoth(async (a, b) => {
      await Promise.all([
        a.activity.add(activityRecord({ id: "x" })),
        b.activity.add(activityRecord({ id: "y" })),
        a.documents.set("k", 1),
        putUser(a.users, user),
      ]);

      assert.equal((await a.activity.select({}, { limit: 10 })).total, 2);
      assert.equal((await b.activity.get("x"))?.id, "x");
      assert.equal(await b.documents.get("k"), 1);
      await until("the user", () => b.users.get("u") !== undefined);
    }),
  ],
  [
    "a start does not close the sessions of the other store",
    withBoth(async (a, b) => {
      await a.sessions.put({
        id: "s",
        status: "active",
        client_name: "test",
        client_version: "1",
        mode: "retrieve_tools",
        actor: "anonymous",
        started_at: 1,
        last_active_at: 1,
        tool_calls: 0,
      });

      await b.sessions.closeAll(5);
      assert.equal((await b.sessions.get("s"))?.status, "active");
      await a.sessions.closeAll(6);
      assert.equal((await b.sessions.get("s"))?.status, "closed");
    }),
  ],
  [
    "a start does not end the scans of the other store",
    withBoth(async (a, b) => {
      await a.scans.put({ id: "s", server: "git", createdAt: 1, job: { status: "running" } } as never, 10);

      assert.deepEqual(await b.scans.leftOver(), []);
      assert.equal((await a.scans.leftOver()).length, 1);
    }),
  ],
  [
    "values and documents that both stores change at once lose no change",
    withBoth(async (a, b) => {
      const add = (current: unknown) => (typeof current === "number" ? current : 0) + 1;

      for (let round = 0; round < 10; round++)
        await Promise.all([a, b].flatMap((store) => [store.meta.change("k", add), store.documents.change("d", add)]));

      await until("both stores have all changes", () => [a, b].every(({ meta }) => meta.get("k") === 20));
      assert.equal(await a.documents.get("d"), 20);
    }),
  ],
  [
    "a store hears of the servers whose approvals the other changed, and of changed documents",
    withBoth(async (a, b) => {
      const heard = new Set<string>();
      b.approvals.onForeignChange((server) => heard.add(server));
      b.documents.shared!.onChange((key) => heard.add(key));

      await putApprovals(a.approvals, [approvalRow("git", "log")]);
      await a.documents.set("d", 1);

      await until("both are heard", () => heard.size === 2);
      assert.deepEqual([...heard].sort(), ["d", "git"]);
    }),
  ],
  [
    "work under one key is done by one store at a time",
    withBoth(async (a, b) => {
      let running = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 20));
        running--;
      };

      await Promise.all([a, b, a, b].map((store) => store.documents.shared!.exclusively("k", work)));

      assert.equal(most, 1);
    }),
  ],
  [
    "calls that both stores count are added, also while one adds them again",
    withBoth(async (a, b) => {
      const now = Date.now();
      await Promise.all(
        Array.from({ length: 50 }, () => [a.usage.count("git:log", now), b.usage.count("git:log", now)]).flat(),
      );

      assert.ok((a.usage.last30Days("git:log", now)?.count ?? 0) >= 50);
    }),
  ],
  [
    "of two stores that replace the configuration at once, one is first, and both learn its version",
    withBoth(async (a, b) => {
      const [x, y] = await Promise.all([
        a.sharedConfig!.replace({ by: "a" }, 0, "a"),
        b.sharedConfig!.replace({ by: "b" }, 0, "b"),
      ]);

      assert.deepEqual(x, y);
      assert.equal(x.version, 1);
      const next = await a.sharedConfig!.replace({ n: 2 }, 1, "a");
      assert.deepEqual(next, { version: 2, document: { n: 2 }, by: "a" });
      assert.deepEqual(a.sharedConfig!.current(), next, "it is current at once");
      await until("the other has it", () => b.sharedConfig!.current()?.version === 2);
    }),
  ],
];
