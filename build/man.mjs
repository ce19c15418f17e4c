// @ts-check
/**
 * Generates the manual page proxy(1) from the command tree, with the macros of man(7). `node build/man.mjs` prints it.
 */
import { fileURLToPath } from "node:url";
import { readCommands } from "./commands.mjs";
import { epoch, version } from "./release.mjs";

/** @typedef {import("./commands.mjs").Command} Command @typedef {import("./commands.mjs").Arg} Arg */

/** @param {{ root: Command, globals: Arg[] }} tree @param {{ version: string, date: string }} of @returns {string} */
export function manPage({ root, globals }, { version, date }) {
  const lines = [
    `.TH PROXY 1 "${date}" "proxy ${version}" "User Commands"`,
    ".SH NAME",
    `proxy \\- ${text(lower(root.description))}`,
    ".SH SYNOPSIS",
    ".B proxy",
    ".I command",
    ".RI [ flags ]",
    ".SH DESCRIPTION",
    paragraph(
      "AI clients connect to one MCP endpoint; proxy runs and watches the servers behind it, finds the right tool by search, and passes calls on. New servers and changed tools wait until a person has looked at them.",
    ),
    ".SH COMMANDS",
    ...root.commands.flatMap(section),
    ".SH GLOBAL FLAGS",
    ...globals.flatMap(flag),
    ".SH EXIT STATUS",
    ...STATUS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, text(meaning)]),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, meaning]) => [".TP", `.B ${name}`, text(meaning)]),
    ".SH FILES",
    ...FILES.flatMap(([path, meaning]) => [".TP", `.I ${text(path)}`, text(meaning)]),
    ".SH EXAMPLES",
    ...EXAMPLES.flatMap(([meaning, line], i) => [
      ...(i ? [".PP"] : []),
      text(meaning),
      ".PP",
      ".RS 4",
      ".nf",
      text(line),
      ".fi",
      ".RE",
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

const STATUS = [
  ["0", "done"],
  ["1", "failed"],
  ["2", "wrong arguments or configuration"],
  ["3", "the data directory is in use by another proxy"],
  ["4", "audit lines on standard output were asked for under --stdio"],
  ["130", "interrupted"],
];
const ENVIRONMENT = [
  ["SERVICE_URL", "address of the proxy that commands ask"],
  ["SERVICE_API_KEY", "administrator key; serve takes it instead of the configured one"],
  ["SERVICE_DATA", "data directory"],
  ["SERVICE_LISTEN", "address of the HTTP listener; further keys of the configuration have variables of this kind"],
  ["NO_COLOR", "no colours"],
];
const FILES = [
  ["~/.mcpproxy/mcp_config.json", "configuration, made at the first start with an API key"],
  ["~/.mcpproxy/mcpproxy.sock", "the local socket, for its owner only"],
  ["~/.mcpproxy/logs", "the log of the proxy and of each server"],
  ["/var/lib/mcpproxy", "all of these, for the system service mcpproxy"],
];
const EXAMPLES = [
  ["Try it with a demo server behind it:", "proxy serve --demo"],
  [
    "Put a server behind it, look at its tools, release it:",
    'proxy upstream add files -- npx -y @modelcontextprotocol/server-filesystem "$HOME/notes"\nproxy tools list -s files\nproxy upstream unquarantine files',
  ],
];

/** @param {Command} c @returns {string[]} */
function section(c) {
  if (c.commands.length > 0) return c.commands.flatMap(section);
  const words = c.args.filter((a) => a.type === "positional");
  const flags = c.args.filter((a) => a.type !== "positional");
  const shown = words.map((w) => (w.required === false ? `[${dots(w)}]` : `<${dots(w)}>`));
  const usage = ["proxy", ...c.path, ...shown, ...(c.rest ? [`[-- ${c.rest}]`] : [])].join(" ");
  return [
    `.SS ${quoted(usage)}`,
    paragraph(`${c.description}.${c.detail ? ` ${c.detail}` : ""}`),
    ...words.flatMap((w) => [".TP", `.I ${text(w.name)}`, text(w.description)]),
    ...flags.flatMap(flag),
  ];
}

/** @param {Arg} w */
const dots = (w) => (w.many ? `${w.name}...` : w.name);

/** @param {Arg} a @returns {string[]} */
function flag(a) {
  const value = a.type === "boolean" ? "" : ` \\fI${text(a.valueHint ?? (a.number ? "n" : "text"))}\\fR`;
  const short = a.alias ? `\\fB\\-${text(a.alias)}\\fR, ` : "";
  return [".TP", `${short}\\fB\\-\\-${text(a.name)}\\fR${value}`, text(a.description)];
}

/** @param {string} t */
const paragraph = (t) => t.split(/\n\n+/).map(text).join("\n.PP\n");
/** @param {string} t */
const lower = (t) => t.charAt(0).toLowerCase() + t.slice(1);
/** Quotes one argument of a macro. @param {string} t */
const quoted = (t) => `"${text(t).replaceAll('"', "\\(dq")}"`;

/** Escapes text for troff, so that no line begins with a command. @param {string} t */
function text(t) {
  return t
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\&...")
    .replaceAll("’", "\\(cq")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll("`", "\\(ga")
    .replace(/^[.']/gm, "\\&$&");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const date = new Date(epoch() * 1000).toISOString().slice(0, 10);
  process.stdout.write(manPage(await readCommands(), { version, date }));
}
