// @ts-check
/** Prints the result of `proxy lock verify -o json` as Markdown: `node report.mjs EXIT_CODE FILE`. */
import { readFileSync } from "node:fs";

const MAX_ROWS = 100;
const MAX_CELL = 300;
const ORDER = ["capability", "widening", "narrowing", "text", "cosmetic"];
const MEANING = {
  capability: "can do more",
  widening: "accepts more",
  narrowing: "accepts less",
  text: "other words for a model",
  cosmetic: "notes",
};

/**
 * Servers choose these texts: nothing in them may become markup, a link or a mention.
 * @param {unknown} value
 */
const cell = (value) => {
  const text = String(value ?? "").replace(
    /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g,
    " ",
  );
  const short = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
  return short.replace(/[&<>"'`*_{}[\]()#+\-.!|~@:\\/]/g, (c) => `&#${c.codePointAt(0)};`);
};

const [code, file = ""] = process.argv.slice(2);
const { drifts, unverified } = JSON.parse(readFileSync(file, "utf8"));
const rank = (/** @type {{ class: string }} */ one) => ORDER.indexOf(one.class);
const sorted = [...drifts].sort((a, b) => rank(a) - rank(b));
const lines = ["<!-- mcp-lock-verify -->"];
if (sorted.length === 0) lines.push("**mcp.lock:** no differences.");
else {
  const verdict = code === "0" ? "all accepted" : "not accepted";
  lines.push(`**mcp.lock:** ${sorted.length} difference${sorted.length === 1 ? "" : "s"}, ${verdict}.`, "");
  lines.push("| class | server | item | place | change |", "| --- | --- | --- | --- | --- |");
  for (const one of sorted.slice(0, MAX_ROWS)) {
    const meaning = MEANING[/** @type {keyof typeof MEANING} */ (one.class)] ?? "";
    const cells = [`${one.class} (${meaning})`, ...[one.server, one.tool ?? one.item, one.at, one.what].map(cell)];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  if (sorted.length > MAX_ROWS) lines.push("", `${sorted.length - MAX_ROWS} more.`);
  lines.push("", "To accept them, run `proxy lock` and commit `mcp.lock`.");
}
for (const { server, what } of unverified.slice(0, MAX_ROWS))
  lines.push("", `Not compared: ${cell(server)}: ${cell(what)}`);
console.log(lines.join("\n"));
