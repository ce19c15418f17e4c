import assert from "node:assert/strict";
import { test } from "node:test";
import { alikeOf, rivalOf } from "#lib/modules/scan/rules/alike.ts";
import type { Named } from "#lib/modules/scan/rules/scan-context.ts";

const MAIL: Named = { name: "send", description: "Send an e-mail to one or more recipients" };
/** More tools than are compared, which all look like `send` without being named so. */
const MANY = Array.from({ length: 400 }, (_, i) => ({ name: `s${vowels(i)}nd`, description: `Tool ${i}` })).filter(
  ({ name }) => name !== MAIL.name,
);

function vowels(i: number): string {
  const next = i < 5 ? "" : vowels(Math.floor(i / 5) - 1);
  return `${next}${"aeiou"[i % 5]}`;
}

function found(tool: Named, rivals: Record<string, readonly Named[]>, server = "other") {
  const findings = alikeOf(tool, {
    server,
    own: new Set([tool.name]),
    foreign: new Map(),
    rivals: Object.entries(rivals).map(([name, tools]) => rivalOf(name, tools)),
  });
  return findings.map(({ rule, excerpt }) => `${rule} ${excerpt}`);
}

test("a copied tool is found behind any number of tools that look like it", () => {
  const expected = "alike.copied send: mailbox:send";

  assert.ok(found(MAIL, { mailbox: [...MANY, MAIL] }).includes(expected));
  assert.ok(found(MAIL, { crowd: MANY, mailbox: [MAIL] }).includes(expected));
  assert.ok(found(MAIL, { crowd: MANY, mailbox: [...MANY, MAIL] }).includes(expected));
});

test("a server that is named like another is found by a tool that stands behind any number of similar ones", () => {
  const tool = { ...MAIL, description: "Hands a newsletter over to the queue" };

  assert.ok(found(tool, { mailbox: [...MANY, MAIL] }, "mai1box").includes("alike.server send: mailbox:send"));
  assert.ok(found(tool, { crowd: MANY, mailbox: [MAIL] }, "mai1box").includes("alike.server send: mailbox:send"));
});

test("a name that differs by a slip is found at a server behind hundreds that have tools which look like it", () => {
  const crowd = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`s${i}`, [{ name: "send_email", description: "Hands a letter over" }]]),
  );
  const tool = { name: "send_email", description: "Puts a message in line" };
  const last = { name: "send_emai1", description: "Sends" };

  assert.deepEqual(found(tool, { ...crowd, last: [last] }), ["alike.name send_email: last:send_emai1"]);
});

test("two servers are instances of one program, and not reported, only if they have at least three tools in common", () => {
  const tools = [MAIL, { ...MAIL, name: "list" }, { ...MAIL, name: "read" }];
  const foundWith = (names: readonly string[]) => {
    const context = { server: "b", own: new Set(names), foreign: new Map(), rivals: [rivalOf("a", tools)] };
    return alikeOf(MAIL, context).map(({ rule }) => rule);
  };

  assert.deepEqual(foundWith(["send", "list", "read"]), []);
  assert.deepEqual(foundWith(["send", "list"]), ["alike.copied"]);
  assert.deepEqual(foundWith(["send", "x", "y"]), ["alike.copied"]);
});

test("whether two servers with many tools are instances of one program is found out once, not for each tool", () => {
  let looked = 0;
  class CountedSet extends Set<string> {
    override has(name: string): boolean {
      looked++;
      return super.has(name);
    }
  }
  const own = new Set(["send", ...Array.from({ length: 99 }, (_, i) => `tool${i}`)]);
  const rival = { ...rivalOf("a", [MAIL]), names: new CountedSet(["send"]) };
  const context = { server: "b", own, foreign: new Map(), rivals: [rival] };

  const first = alikeOf(MAIL, context);
  const lookedFirst = looked;
  const second = alikeOf(MAIL, context);

  assert.deepEqual(second, first);
  assert.ok(lookedFirst > 0);
  assert.equal(looked, lookedFirst);
});
