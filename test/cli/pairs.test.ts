import assert from "node:assert/strict";
import { test } from "node:test";
import { byServer } from "#cli/ids.ts";
import { ENV, HEADER, pairs } from "#cli/pairs.ts";

test("headers are written with an equals sign or a colon, values keep what follows", () => {
  assert.deepEqual(pairs("--header", ["X-A=b=c", "Authorization: Bearer x:y", "X-Empty="], HEADER), {
    "X-A": "b=c",
    Authorization: "Bearer x:y",
    "X-Empty": "",
  });
});

test("environment variables are written with an equals sign, over several lines too", () => {
  assert.deepEqual(pairs("--env", ["A=1", "B=x\ny", "C=a:b"], ENV), { A: "1", B: "x\ny", C: "a:b" });
});

test("a pair without a value is refused with its form", () => {
  for (const text of ["A", "=b", "A B=c"])
    assert.throws(() => pairs("--env", [text], ENV), /--env must have the form NAME=value, not "/);
});

test("tools are taken apart at their first colon and put together by server", () => {
  assert.deepEqual(
    [...byServer(["git:log", "fs:read:all", "git:diff"])],
    [
      ["git", ["log", "diff"]],
      ["fs", ["read:all"]],
    ],
  );
  for (const id of ["git", ":log", "git:"])
    assert.throws(() => byServer([id]), /is not a tool id; write it as server:tool/);
});
