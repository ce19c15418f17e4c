import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { until } from "#test/kit/upstream.ts";
import { childOf } from "./children.ts";
import { type Daemon, type Json, serve, textOf, wholeFile } from "./daemon.ts";
import { EVERYTHING, type EverythingHttp, everythingHttp, PROGRESS, SLOW } from "./official.ts";

/** What calls of the reference server "everything" go through, over both of its transports. */
let daemon: Daemon;
let anybody: Client;
let direct: Client;
let http: EverythingHttp;
const file = wholeFile();

before(async () => {
  http = await everythingHttp(file);
  const remote = { name: "everything-http", url: http.url, quarantined: false, trust_mode: "auto" };
  daemon = await serve(file, { config: { mcpServers: [EVERYTHING, remote] } });
  await Promise.all([daemon.listed("everything"), daemon.listed("everything-http")]);
  [anybody, direct] = await Promise.all([daemon.client(), daemon.client("/mcp/all")]);
});

describe("a call that takes its time", { concurrency: true }, () => {
  for (const server of ["everything", "everything-http"])
    test(`reports the progress that ${server} tells, in both modes`, async () => {
      const said: object[][] = [[], []];
      const found = {
        name: `${server}:${SLOW.name}`,
        args: SLOW.arguments,
        intent: { operation_type: "read" },
      };
      const answers = await Promise.all([
        direct.callTool({ ...SLOW, name: `${server}__${SLOW.name}` }, undefined, {
          onprogress: (progress) => said[0]!.push(progress),
        }),
        anybody.callTool({ name: "call_tool_read", arguments: found }, undefined, {
          onprogress: (progress) => said[1]!.push(progress),
        }),
      ]);

      assert.deepEqual(said, [PROGRESS, PROGRESS]);
      for (const answer of answers) assert.match(textOf(answer), /^Long running operation completed\./);
    });

  for (const server of ["everything", "everything-http"])
    test(`is cancelled in the middle, and ${server} answers the next one`, async () => {
      const cancel = new AbortController();
      const slow = { name: `${server}__${SLOW.name}`, arguments: { duration: 60, steps: 600 } };
      const call = direct.callTool(slow, undefined, {
        signal: cancel.signal,
        onprogress: () => cancel.abort("enough"),
      });

      await assert.rejects(call, /enough/);
      const next = await direct.callTool({ name: `${server}__get-sum`, arguments: { a: 1, b: 2 } });

      assert.match(textOf(next), /3/);
      await until("the cancelled call is on record", async () => {
        const { activities } = await daemon.rest(`GET /activity?server=${server}&tool=${SLOW.name}`);
        return activities.some((a: Json) => a.status === "error" && /cancelled/.test(a.error_message));
      });
    });
});

describe("a server that dies", { concurrency: true }, () => {
  const RECOVERIES: [server: string, die: () => unknown][] = [
    ["everything", () => process.kill(childOf(daemon, "everything"), "SIGKILL")],
    ["everything-http", () => http.replace()],
  ];
  for (const [server, die] of RECOVERIES)
    test(`${server} is back within ten seconds, and every call until then is told why it failed`, async () => {
      const sum = () => direct.callTool({ name: `${server}__get-sum`, arguments: { a: 20, b: 22 } });
      await sum();

      await die();
      let answer = await sum();
      const end = Date.now() + 10_000;
      while (answer.isError && Date.now() < end) {
        assert.match(textOf(answer), new RegExp(`server "${server}" `));
        await new Promise((go) => setTimeout(go, 20));
        answer = await sum();
      }

      assert.match(textOf(answer), /42/);
    });
});
