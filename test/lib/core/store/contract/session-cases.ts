import assert from "node:assert/strict";
import type { SessionRecord } from "#lib/core/schema/session.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const session = (id: string, own: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  status: "active",
  client_name: "test",
  client_version: "1",
  mode: "retrieve_tools",
  actor: "anonymous",
  started_at: 1,
  last_active_at: 1,
  tool_calls: 0,
  ...own,
});
const ids = (rows: readonly SessionRecord[]) => rows.map(({ id }) => id);

export const sessionCases: readonly ContractCase[] = [
  [
    "the last write of a session counts, and the session used last comes first",
    async ({ store, reopen }) => {
      void store.sessions.put(session("a", { tool_calls: 1 }));
      void store.sessions.put(session("b", { last_active_at: 5, client_ip: "127.0.0.1", client_name: "n\0" }));
      await store.sessions.put(session("a", { tool_calls: 2, last_active_at: 3 }));

      for await (const { sessions } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(await sessions.get("a"), session("a", { tool_calls: 2, last_active_at: 3 }));
        assert.equal(await sessions.get("c"), undefined);
        const { sessions: page, total } = await sessions.page({}, 10, 0);
        assert.deepEqual([ids(page), total, page[0]?.client_ip], [["b", "a"], 2, "127.0.0.1"]);
      }
    },
  ],
  [
    "a read sees every session that was written before it",
    async ({ store: { sessions } }) => {
      const durable = sessions.put(session("a"));

      assert.deepEqual(await sessions.get("a"), session("a"));
      assert.equal((await sessions.page({}, 1, 0)).total, 1);
      await durable;
    },
  ],
  [
    "pages are chosen by status, limit and offset",
    async ({ store: { sessions } }) => {
      for (let i = 0; i < 6; i++)
        void sessions.put(session(`s${i}`, { last_active_at: i, status: i % 2 ? "closed" : "active" }));

      const { sessions: page, total } = await sessions.page({ status: "closed" }, 2, 1);

      assert.deepEqual([ids(page), total], [["s3", "s1"], 3]);
      assert.equal((await sessions.page({ status: "active" }, 10, 0)).total, 3);
    },
  ],
  [
    "pages by each column and direction contain each session once, also among equal values",
    async ({ store: { sessions } }) => {
      const all = Array.from({ length: 30 }, (_, i) =>
        session(`s${String(i).padStart(2, "0")}`, { started_at: i % 4, last_active_at: i % 3, tool_calls: i % 2 }),
      );
      await Promise.all(all.map((one) => sessions.put(one)));

      for (const by of ["last_active_at", "started_at", "tool_calls"] as const)
        for (const falling of [true, false]) {
          const read: SessionRecord[] = [];
          for (let after: { value: number; id: string } | undefined; ; ) {
            const page = await sessions.page({}, 7, 0, { by, falling, ...(after && { after }) });
            read.push(...page.sessions);
            const last = page.sessions.at(-1);
            if (!last) break;
            after = { value: last[by], id: last.id };
          }

          const sign = falling ? -1 : 1;
          const expected = [...all].sort((a, b) => sign * (a[by] - b[by] || (a.id < b.id ? -1 : 1)));
          assert.deepEqual(ids(read), ids(expected), `${by} ${falling}`);
        }
    },
  ],
  [
    "the sessions that a crash left active are closed, and those that were closed before stay as they are",
    async ({ store: { sessions } }) => {
      void sessions.put(session("a"));
      void sessions.put(session("b", { status: "closed", closed_at: 2 }));

      const closed = sessions.closeAll(9);
      void sessions.put(session("a", { tool_calls: 7 }));
      await closed;

      assert.equal((await sessions.get("a"))?.status, "active", "a later write is later");
      assert.equal((await sessions.get("b"))?.closed_at, 2);
      await sessions.closeAll(10);
      const { status, closed_at } = (await sessions.get("a"))!;
      assert.deepEqual([status, closed_at], ["closed", 10]);
    },
  ],
];
