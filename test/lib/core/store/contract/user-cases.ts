import assert from "node:assert/strict";
import type { UserRow, UserSessionRow } from "#lib/core/schema/user.ts";
import { putUser } from "#test/kit/store.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const user = (id: string, own: Partial<UserRow> = {}): UserRow => ({
  id,
  issuer: "https://id.example",
  subject: `subject of ${id}`,
  email: `${id}@example.com`,
  groups: ["dev"],
  admin: false,
  off: [],
  createdAt: 1,
  signedInAt: 2,
  bearersAfter: 0,
  ...own,
});
const session = (id: string, own: Partial<UserSessionRow> = {}): UserSessionRow => ({
  id,
  hash: `hash of ${id}`,
  userId: "u",
  createdAt: 1,
  expiresAt: 9,
  ...own,
});

export const userCases: readonly ContractCase[] = [
  [
    "users are sorted by address, and found by id and by identity",
    async ({ store, reopen }) => {
      const [a, b] = [user("a"), user("b", { displayName: "B\0", admin: true, off: ["git"], disabledAt: 3 })];
      await putUser(store.users, b);
      await putUser(store.users, a);

      for await (const { users } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(users.all(), [a, b]);
        assert.deepEqual(users.get("b"), b);
        assert.deepEqual(users.bySubject("https://id.example", "subject of a"), a);
        assert.equal(users.bySubject("https://id.example", "subject of c"), undefined);
        assert.equal(users.bySubject("https://other.example", "subject of a"), undefined);
      }
    },
  ],
  [
    "changes that are requested together keep each other's fields, and listeners hear each",
    async ({ store, reopen }) => {
      const { users } = store;
      await putUser(users, user("a"));
      const heard: string[] = [];
      const stop = users.onChange((id) => heard.push(id));

      await Promise.all([
        users.change("a", (row) => row && { ...row, disabledAt: 7 }),
        users.change("a", (row) => row && { ...row, off: [...row.off, "git"] }),
        users.change("a", () => undefined),
      ]);
      stop();

      assert.deepEqual(heard, ["a", "a"]);
      assert.deepEqual((await reopen()).users.get("a"), user("a", { disabledAt: 7, off: ["git"] }));
    },
  ],
  [
    "an identity has one user, though it signs in twice at the same time",
    async ({ store, reopen }) => {
      const signIn = (id: string) =>
        store.users.changeBySubject("https://id.example", "s", (row) => ({
          ...(row ?? user(id, { subject: "s", signedInAt: 0 })),
          signedInAt: (row?.signedInAt ?? 0) + 1,
        }));

      await Promise.all([signIn("a"), signIn("b"), signIn("c")]);

      const { users } = await reopen();
      assert.deepEqual(
        users.all().map(({ signedInAt }) => signedInAt),
        [3],
      );
      assert.deepEqual(users.bySubject("https://id.example", "s"), users.all()[0]);
    },
  ],
  [
    "sessions are found by id and by hash, and are there after a restart",
    async ({ store, reopen }) => {
      const rows = [session("a"), session("b", { userAgent: "x", clientIp: "127.0.0.1" })];
      for (const row of rows) await store.userSessions.change(row.id, () => row);

      for await (const { userSessions } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(userSessions.get("b"), rows[1]);
        assert.deepEqual(userSessions.byHash("hash of a"), rows[0]);
        assert.equal(userSessions.byHash("hash of c"), undefined);
        assert.equal(userSessions.all().length, 2);
      }
    },
  ],
  [
    "an ended session is found by neither id nor hash, and listeners hear each end",
    async ({ store, reopen }) => {
      const { userSessions } = store;
      for (const id of ["a", "b", "c"]) await userSessions.change(id, () => session(id));
      const heard: string[] = [];
      const stop = userSessions.onEnd((id) => heard.push(id));

      await userSessions.remove(["a", "b"]);
      stop();
      await userSessions.remove(["c"]);

      assert.deepEqual(
        [userSessions.get("a"), userSessions.byHash("hash of a"), heard],
        [undefined, undefined, ["a", "b"]],
      );
      assert.deepEqual((await reopen()).userSessions.all(), []);
    },
  ],
];
