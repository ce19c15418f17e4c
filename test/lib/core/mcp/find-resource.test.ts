import assert from "node:assert/strict";
import { test } from "node:test";
import { findNamedItem, findResource } from "#lib/core/mcp/find-resource.ts";
import type { ListedKind } from "#lib/core/schema/item.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { knowItems } from "#test/kit/items.ts";

const NAMES: Record<ListedKind, string> = { prompt: "ask", resource: "note://a", template: "file://{path}" };
const servers = ["one", "two"].map((name) => ({ name, command: "x", quarantined: false }));

test("an original name means what exactly one server lists, or listed before the start and has not listed again", () =>
  withApp({ connect: false, servers }, async (app) => {
    const replaceItems = knowItems(app, []);
    const know = (one: boolean, two: boolean) =>
      replaceItems(
        Object.entries(NAMES).flatMap(([kind, name]) => [
          { kind: kind as ListedKind, name, server: "one", present: one },
          { kind: kind as ListedKind, name, server: "two", present: two },
        ]),
      );
    const found = async ({ caller } = admin) => ({
      prompt: (await findNamedItem(app, caller, "prompt", "ask"))?.server,
      template: (await findNamedItem(app, caller, "template", "file://{path}"))?.server,
      resource: await findResource(app, caller, "note://a"),
      expansion: await findResource(app, caller, "file://b"),
    });
    const none = { prompt: undefined, template: undefined };

    for (const [one, two] of [
      [true, true],
      [true, false],
      [false, false],
    ] as const) {
      know(one, two);
      assert.deepEqual(
        await found(),
        {
          ...none,
          resource: { choices: ["via://one/note://a", "via://two/note://a"] },
          expansion: { choices: ["via://one/file://b", "via://two/file://b"] },
        },
        `${one} ${two}`,
      );
      assert.deepEqual(
        await found(agent(["two"])),
        {
          prompt: "two",
          template: "two",
          resource: { server: "two", uri: "note://a", isPlain: true },
          expansion: { server: "two", uri: "file://b", isPlain: true },
        },
        `${one} ${two}, for a token of one server`,
      );
    }
  }));
