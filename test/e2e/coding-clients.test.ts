import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { homeFolder } from "#test/kit/home.ts";
import { runProgram, startCommand } from "#test/kit/program.ts";

/** A command-line client that nobody here wrote. */
interface CodingClient {
  readonly name: string;
  readonly id: string;
  readonly package: string;
  /** Its program, relative to `node_modules`, and the arguments with which it shows its servers. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it prints about the entry `mcpproxy`, with the address in place of URL. */
  readonly shows: string;
  /** Whether it prints this only after it has connected. */
  readonly connects: boolean;
  /** What a person does once before. */
  prepare?(t: TestContext, home: string): unknown;
}

/** Installed by `test/npm/install.sh coding-clients`. */
const CODING_CLIENTS: readonly CodingClient[] = [
  {
    name: "Claude Code",
    id: "claude-code",
    package: "@anthropic-ai/claude-code-linux-x64",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy: URL \(HTTP\) - ✔ Connected`,
    connects: true,
  },
  {
    name: "Gemini CLI",
    id: "gemini",
    package: "@google/gemini-cli",
    program: ".bin/gemini",
    args: ["mcp", "list"],
    shows: String.raw`✓ mcpproxy: URL \(http\) - Connected`,
    connects: true,
    // It disables all servers in a folder that the user has not trusted.
    prepare: (_, home) =>
      writeFiles(home, { ".gemini/trustedFolders.json": JSON.stringify({ [home]: "TRUST_FOLDER" }) }),
  },
  {
    name: "Qwen Code",
    id: "qwen",
    package: "@qwen-code/qwen-code",
    program: ".bin/qwen",
    args: ["mcp", "list"],
    shows: String.raw`✓\S* mcpproxy: URL \(http\) - Connected`,
    connects: true,
  },
  {
    name: "OpenCode",
    id: "opencode",
    package: "opencode-linux-x64",
    program: "opencode-linux-x64/bin/opencode",
    args: ["mcp", "list"],
    shows: String.raw`✓ mcpproxy \S*connected[\s\S]*URL`,
    connects: true,
    // The proxy does not create the file of OpenCode; its first start does.
    prepare: (t, home) => shown(t, home, "opencode-linux-x64/bin/opencode", ["mcp", "list"]),
  },
  {
    name: "Auggie",
    id: "auggie",
    package: "@augmentcode/auggie",
    program: ".bin/auggie",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy\s+http\s+URL`,
    connects: false,
  },
  {
    name: "Codex",
    id: "codex",
    package: "@openai/codex",
    program: ".bin/codex",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy\s+URL\s+-\s+enabled`,
    connects: false,
  },
  {
    name: "Amp",
    id: "amp",
    package: "@ampcode/cli-linux-x64",
    program: "@ampcode/cli-linux-x64/amp",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy\s+url\s+URL`,
    connects: false,
  },
];

/** Installed by `test/npm/install.sh more-clients`. */
const MORE_CLIENTS: readonly CodingClient[] = [
  {
    name: "Factory Droid",
    id: "droid",
    package: "@factory/cli-linux-x64",
    program: "@factory/cli-linux-x64/bin/droid",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy\s+http\s+connected`,
    connects: true,
  },
  {
    name: "mcporter, which reads the file of Cursor",
    id: "cursor",
    package: "mcporter",
    program: ".bin/mcporter",
    args: ["list"],
    shows: String.raw`mcpproxy \(\d+ tools, [\s\S]*1 healthy`,
    connects: true,
  },
  {
    name: "GitHub Copilot CLI",
    id: "copilot-cli",
    package: "@github/copilot",
    program: ".bin/copilot",
    args: ["mcp", "list"],
    shows: String.raw`mcpproxy \(http\)`,
    connects: false,
  },
  {
    name: "Cline",
    id: "cline",
    package: "cline",
    program: ".bin/cline",
    args: ["config", "mcp"],
    shows: String.raw`mcpproxy \[streamableHttp\]`,
    connects: false,
  },
];

const LISTS = [
  { list: "coding-clients", variable: "PROXY_CODING_CLIENTS", clients: CODING_CLIENTS },
  { list: "more-clients", variable: "PROXY_MORE_CLIENTS", clients: MORE_CLIENTS },
];

for (const { list, variable, clients } of LISTS) {
  const installed = process.env[variable];
  const skip =
    installed && existsSync(join(installed, "complete"))
      ? false
      : `NOT RUN: no real clients; set ${variable}=$(test/npm/install.sh ${list})`;
  for (const client of clients)
    test(`${client.name}, connected by one command, shows the proxy as ${client.connects ? "connected" : "configured"}`, {
      skip,
      timeout: 120_000,
    }, async (t) => {
      const home = homeFolder(t);
      const env = { HOME: home, SERVICE_LISTEN: "127.0.0.1:0" };
      const up = await runProgram(t, ["up", "--json"], env);
      assert.equal(up.code, 0, up.err);
      await client.prepare?.(t, home);

      const added = await runProgram(t, ["connect", "add", client.id], env);

      assert.equal(added.code, 0, added.err);
      const address = /"(http:\/\/127\.0\.0\.1:\d+\/mcp)"/.exec(added.out + added.err)?.[1];
      assert.ok(address, added.out + added.err);
      const { out, err } = await shown(t, home, client.program, client.args, installed);
      assert.match(out + err, new RegExp(client.shows.replace("URL", address.replaceAll(".", "\\.")), "u"));
    });
}

test("the table of checked clients names the versions that the tests install", () => {
  const page = readFileSync("docs/connect.md", "utf8");
  for (const { list, clients } of LISTS) {
    const { dependencies } = JSON.parse(readFileSync(`test/npm/${list}/package.json`, "utf8"));
    assert.deepEqual(Object.keys(dependencies).toSorted(), clients.map((client) => client.package).toSorted());
    for (const client of clients) {
      const how = client.connects ? "connects" : "lists the entry";
      const row = page
        .split("\n")
        .find((line) => line.startsWith(`| ${client.name.replace(/,.*/, "")} |`) && line.includes(how));
      assert.ok(
        row?.includes(` ${dependencies[client.package]} |`),
        `${client.name} ${dependencies[client.package]}: ${row}`,
      );
    }
  }
});

/** Runs a client's program in the home folder of a user, as a terminal without a person would. */
function shown(
  t: TestContext,
  home: string,
  program: string,
  args: readonly string[],
  installed = process.env.PROXY_CODING_CLIENTS ?? "",
) {
  // Some of the clients need a newer Node than the proxy.
  const bin = join(home, "bin");
  if (!existsSync(bin)) {
    mkdirSync(bin);
    symlinkSync(builtInNode(), join(bin, "node"));
  }
  const env = { HOME: home, PATH: bin + delimiter + (process.env.PATH ?? ""), NO_COLOR: "1", CI: "1", TERM: "dumb" };
  const { child, ended } = startCommand(t, [join(installed, "node_modules", program), ...args], { env, cwd: home });
  child.stdin.end();
  return ended;
}

/** The Node that the executable contains; the build has fetched it. */
function builtInNode(): string {
  const script = `const [{ fetchFile }, { hostTarget, TARGETS }] =
    await Promise.all([import("./build/fetch.mjs"), import("./build/targets.mjs")]);
  console.log(fetchFile(TARGETS[hostTarget()].node));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
}

function writeFiles(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}
