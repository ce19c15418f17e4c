import assert from "node:assert/strict";
import { test } from "node:test";
import { callMetadata } from "#lib/core/gateway/call-metadata.ts";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { nobodyByMcp } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";

const PASSWORD = "hunter2hunter2";

test("secrets in a URI that was read, in the name of a rejected call and in an intent are masked in the record", () =>
  withApp({ connect: false }, async (app) => {
    for (const type of ["resource_read", "policy_decision"] as const)
      await recordActivity(app, nobodyByMcp, {
        type,
        status: "error",
        server_name: "db",
        tool_name: `postgres://app:${PASSWORD}@db/x?api_key=${PASSWORD}`,
      }).durable;
    const { records } = await app.store.activity.select({}, { limit: 9 });

    const names = records.flatMap(({ type, tool_name }) => (type === "system_start" ? [] : [tool_name]));
    assert.equal(names.length, 2);
    for (const name of names) assert.match(name ?? "", /^postgres:\/\/app:(?!hunter2)[^@]+@db\/x\?api_key=(?!hunter2)/);
    const intent = { operation_type: "read", reason: `password=${PASSWORD}` } as const;
    const request = { id: "db:x", args: {}, signal: new AbortController().signal, intent };
    assert.doesNotMatch(JSON.stringify(callMetadata(nobodyByMcp, request)), /hunter2/);
  }));
