import assert from "node:assert/strict";
import { test } from "node:test";
import { maskArgs } from "#lib/core/secrets/mask/args.ts";
import { HARMLESS, SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  ["rest.redact.args", "rest.redact.by-name"],
  "credentials on a command line are masked, the rest is not",
  () => {
    const rows: [string[], string[]][] = [
      [
        ["--api-key", "abcdef"],
        ["--api-key", "••••ef (6 chars)"],
      ],
      [["--api-key=abcdef"], ["--api-key=••••ef (6 chars)"]],
      [
        ["--apiKey", "abcdef"],
        ["--apiKey", "••••ef (6 chars)"],
      ],
      [
        ["-token", "abcdef"],
        ["-token", "••••ef (6 chars)"],
      ],
      [["GITHUB_TOKEN=abcdef"], ["GITHUB_TOKEN=••••ef (6 chars)"]],
      [
        ["-e", "DB_PASSWORD=abcdef", "image"],
        ["-e", "DB_PASSWORD=••••ef (6 chars)", "image"],
      ],
      [["--env=DB_PASSWORD=abcdef"], ["--env=DB_PASSWORD=••••ef (6 chars)"]],
      [
        ["-H", "Authorization: Bearer abcdef"],
        ["-H", "Authorization: ••••ef (13 chars)"],
      ],
      [
        ["-H", "X-Auth: abcdef"],
        ["-H", "X-Auth: ••••ef (6 chars)"],
      ],
      [
        ["-H", "Accept: text/html"],
        ["-H", "Accept: text/html"],
      ],
      [["--header=Authorization: Bearer abcdef"], ["--header=Authorization: Bearer ••••ef (6 chars)"]],
      [["Authorization: Bearer abcdef"], ["Authorization: Bearer ••••ef (6 chars)"]],
      [
        ["-u", "bob:abcdef"],
        ["-u", "bob:••••ef (6 chars)"],
      ],
      [
        ["--user", "bob"],
        ["--user", "bob"],
      ],
      [["postgres://u:pw1@h/db"], ["postgres://u:••••(3 chars)@h/db"]],
      [
        ["--url", "https://h/?token=abc"],
        ["--url", "https://h/?token=••••bc (3 chars)"],
      ],
      [["--url=https://h/?token=abc"], ["--url=https://h/?token=••••bc (3 chars)"]],
      [
        ["-c", "export TOKEN=abcdef && run"],
        ["-c", "export TOKEN=••••ef (6 chars) && run"],
      ],
      [
        ["--config", '{"password":"abcdef"}'],
        ["--config", '{"password":"••••ef (6 chars)"}'],
      ],
      [
        ["--token", "--verbose"],
        ["--token", "--verbose"],
      ],
      [
        ["--token", "-v"],
        ["--token", "-v"],
      ],
      [
        ["--token", "-abcdef1"],
        ["--token", "••••f1 (8 chars)"],
      ],
      [
        ["--no-auth", "server.js"],
        ["--no-auth", "server.js"],
      ],
      [
        ["--password", ""],
        ["--password", ""],
      ],
      [["--password"], ["--password"]],
      [
        ["--port", "3000"],
        ["--port", "3000"],
      ],
      [[], []],
    ];
    for (const [args, shown] of rows) assert.deepEqual(maskArgs(args), shown);
  },
);

verifies("rest.redact.by-shape", "a secret's shape is masked in any argument", () => {
  for (const secret of Object.values(SHAPED))
    for (const args of [[secret], ["--name", secret], [`--name=${secret}`], [`NAME=${secret}`], ["-x", `a,${secret}`]])
      assert.ok(!maskArgs(args).join(" ").includes(secret), args.join(" "));
});

verifies("rest.redact.references", "references on a command line pass", () => {
  const args = [
    "--api-key",
    "${keyring:K}",
    "--token=${env:T}",
    "${env:X}",
    "KEY=${env:K}",
    "-H",
    "Authorization: Bearer ${env:T}",
  ];

  assert.deepEqual(maskArgs(args), args);
});

test("harmless arguments stay, and masking twice is masking once", () => {
  assert.deepEqual(maskArgs(HARMLESS), [...HARMLESS]);

  const args = [
    "--api-key",
    "abcdef",
    "-H",
    "X-Auth: abc",
    "-u",
    "a:b",
    "TOKEN=x",
    "https://u:p@h/?key=1",
    "--key=a b",
  ];
  const once = maskArgs(args);
  assert.deepEqual(maskArgs(once), once);
});
