// @ts-check
/**
 * Generates tables from folders: routes.gen.ts, route-loaders.gen.ts and mcp.gen.ts from handlers/**, modules.gen.ts and
 * config.gen.ts from lib/modules/*, clients.gen.ts from lib/modules/connect/clients/*, and commands.gen.ts from
 * cli/commands/**.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const ENDPOINT = /\.(get|post|put|patch|delete|all)\.ts$/;

/** @param {string} folder */
const walk = (folder) => {
  const path = fileURLToPath(new URL(folder, root));
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .map((f) => String(f).replaceAll("\\", "/"))
    .filter((f) => f.endsWith(".ts") && !f.endsWith(".gen.ts"));
};

/**
 * Static segments sort before parameters, so `/activity/export` takes precedence over `/activity/{id}`. @param {string}
 * f
 */
const rank = (f) => f.replaceAll("[", "\u{10FFFF}");
/** @param {string} a @param {string} b */
const byRank = (a, b) => (rank(a) < rank(b) ? -1 : 1);

/**
 * Writes only changed files, so that watchers and parallel builds are not triggered. @param {string} file @param
 * {string[]} lines
 */
function write(file, lines) {
  const url = new URL(file, root);
  const text = `// Written by build/generate-tables.mjs; not committed.\n${lines.join("\n")}\n`;
  if (!existsSync(url) || readFileSync(url, "utf8") !== text) writeFileSync(url, text);
}

function routes() {
  const all = walk("handlers/").sort(byRank);
  const endpoints = all.filter((f) => ENDPOINT.test(f) && !f.endsWith(".all.ts"));
  const mounts = all.filter((f) => f.endsWith(".all.ts"));
  const tools = all.filter((f) => f.startsWith("mcp/tools/") && !ENDPOINT.test(f));
  /** @param {string[]} files @param {string} letter */
  const imports = (files, letter) => files.map((f, i) => `import ${letter}${i} from "./${f}";`);
  /** @param {string[]} files @param {string} letter */
  const list = (files, letter) => `[${files.map((_, i) => letter + i).join(", ")}]`;
  // Apart from the REST endpoints, which are loaded by the first request to one of them.
  write("handlers/mcp.gen.ts", [
    `import type { McpMount } from "#lib/core/mcp/mount.ts";`,
    `import type { Tool } from "#lib/core/mcp/tool.ts";`,
    ...imports(mounts, "m"),
    ...imports(tools, "t"),
    "",
    "/** The MCP endpoints. */",
    `export const mounts: readonly McpMount[] = ${list(mounts, "m")};`,
    "/** The built-in MCP tools. */",
    `export const tools: readonly Tool[] = ${list(tools, "t")};`,
  ]);
  write("handlers/routes.gen.ts", [
    ...imports(endpoints, "e"),
    "",
    "/** Every REST endpoint, static paths before parameters. */",
    `export const endpoints = ${list(endpoints, "e")} as const;`,
    "/** The file of each endpoint, in the order of `endpoints`. */",
    `export const files = ${JSON.stringify(endpoints)} as const;`,
    "",
    "type All = (typeof endpoints)[number];",
    "/** Every endpoint by its route string, for typed clients. */",
    `export type Api = { [E in All as E["route"]]: E };`,
  ]);
  write("handlers/route-loaders.gen.ts", [
    `import type { EndpointLoader } from "#lib/core/api/load-rest.ts";`,
    "",
    "/** Loads every REST endpoint, in the order of `endpoints` in routes.gen.ts. */",
    "export const routeLoaders: readonly EndpointLoader[] = [",
    ...endpoints.map((f) => `  () => import("./${f}"),`),
    "];",
  ]);
  return endpoints.length;
}

/**
 * `lib/modules/<name>/module.ts` into one list, in the order of their names. The types of their faults and of their
 * configuration are merged into the core's, which imports no module.
 */
function modules() {
  const all = walk("lib/modules/").sort();
  const files = all.filter((f) => /^[^/]+\/module\.ts$/.test(f));
  const faults = all.filter((f) => /^[^/]+\/faults\.ts$/.test(f));
  const configs = all.filter((f) => /^[^/]+\/config\.ts$/.test(f));
  write("lib/modules/config.gen.ts", [
    `import type { EntriesOf } from "../core/config/config-keys.ts";`,
    ...configs.map((f, i) => `import { config as c${i} } from "./${f}";`),
    "",
    "/** The configuration of every module; whoever reads a configuration loads this first. */",
    `export const configs = [${configs.map((_, i) => `c${i}`).join(", ")}];`,
    "",
    ...configs.map((_, i) => `type C${i} = EntriesOf<typeof c${i}>;`),
    `declare module "../core/config/config-keys.ts" {`,
    `  interface ConfigEntries extends ${configs.map((_, i) => `C${i}`).join(", ")} {}`,
    "}",
  ]);
  write("lib/modules/modules.gen.ts", [
    `import "./config.gen.ts";`,
    `import type { Module } from "../core/extension/module.ts";`,
    ...files.map((f, i) => `import m${i} from "./${f}";`),
    ...faults.map((f, i) => `import type { faults as f${i} } from "./${f}";`),
    "",
    "/** Every feature beside the core. */",
    `export const modules: readonly Module[] = [${files.map((_, i) => `m${i}`).join(", ")}];`,
    "",
    ...faults.map((_, i) => `type F${i} = typeof f${i};`),
    `declare module "../core/base/fault.ts" {`,
    `  interface Faults extends ${faults.map((_, i) => `F${i}`).join(", ")} {}`,
    "}",
  ]);
  return files.length;
}

/** `lib/modules/connect/clients/<id>.ts` into one list, in the order of their ids. */
function clients() {
  const files = walk("lib/modules/connect/clients/").sort();
  write("lib/modules/connect/clients.gen.ts", [
    `import type { Client } from "./client.ts";`,
    ...files.map((f, i) => `import c${i} from "./clients/${f}";`),
    "",
    "/** Every known MCP client. */",
    `export const clients: readonly Client[] = [${files.map((_, i) => `c${i}`).join(", ")}];`,
  ]);
  return files.length;
}

/** A folder of command files becomes citty's `subCommands`, lazy and on a null prototype; `_group.ts` is a folder's `meta`. */
function commands() {
  const files = walk("cli/commands/").sort();
  /** @param {string} prefix @param {number} depth @returns {string} */
  const tree = (prefix, depth) => {
    const pad = "  ".repeat(depth + 1);
    const here = files.filter((f) => f.startsWith(prefix)).map((f) => f.slice(prefix.length));
    const names = [...new Set(here.map((f) => f.split("/")[0].replace(/\.ts$/, "")))].filter((n) => n !== "_group");
    const rows = names.map((name) => {
      /** @param {string} file */
      const load = (file) => `import("./commands/${prefix}${file}").then((m) => m.default)`;
      if (here.includes(`${name}.ts`)) return `${pad}${JSON.stringify(name)}: () => ${load(`${name}.ts`)},`;
      if (!here.includes(`${name}/_group.ts`)) throw new Error(`cli/commands/${prefix}${name} has no _group.ts`);
      const sub = tree(`${prefix}${name}/`, depth + 1);
      return `${pad}${JSON.stringify(name)}: () => ${load(`${name}/_group.ts`)}.then((meta) => ({ meta, subCommands: ${sub} })),`;
    });
    return `Object.assign(Object.create(null), {\n${rows.join("\n")}\n${"  ".repeat(depth)}})`;
  };
  write("cli/commands.gen.ts", [
    `import type { CommandTree } from "./command.ts";`,
    "",
    "/** The command tree; a command is loaded only when it is typed. */",
    `export const commands: CommandTree = ${tree("", 0)};`,
  ]);
  return files.length;
}

export function generate() {
  return { endpoints: routes(), modules: modules(), clients: clients(), commands: commands() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const n = generate();
  console.error(`${n.endpoints} endpoints, ${n.modules} modules, ${n.clients} clients, ${n.commands} commands`);
}
