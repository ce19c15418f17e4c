import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { CLIENTS } from "#lib/modules/connect/clients.ts";

const PAGE = "docs/connect.md";
const TABLE = /(?<=\| --- \| --- \| --- \| --- \|\n)[\s\S]*?(?=\n\n)/;

const rows = CLIENTS.map((client) => {
  const [path] = client.paths({ platform: "linux", home: "~", env: {} });
  const at = client.at({}).join(".");
  return `| ${client.name} | \`${client.id}\` | \`${path}\` | \`${at}\`${client.list ? ", a list" : ""} |`;
});

test("the table of clients is what the definitions say; UPDATE=1 writes it anew", () => {
  const text = readFileSync(PAGE, "utf8");
  if (process.env.UPDATE) writeFileSync(PAGE, text.replace(TABLE, rows.join("\n")));
  else assert.equal(TABLE.exec(text)![0], rows.join("\n"));
});
