import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { BUNDLE, folder, start } from "#test/kit/program.ts";
import { until } from "#test/kit/until.ts";
import { childOf, familyOf } from "./children.ts";
import { wholeFile } from "./daemon.ts";

/** Commands of docs/walkthrough.md and what it says that they print; `…` stands for anything. */
interface Step {
  section: string;
  commands: string;
  prints: string | undefined;
}

function stepsOf(page: string): Step[] {
  const parts = page.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$(?:\n+^```text\n([\s\S]*?)^```$)?/gm);
  let section = "";
  return [...parts].flatMap(([, title, commands, prints]) => {
    if (title) section = title;
    return commands === undefined ? [] : [{ section, commands, prints }];
  });
}

const steps = stepsOf(readFileSync("docs/walkthrough.md", "utf8")).filter(({ commands }) => commands !== "npm start\n");
const file = wholeFile();
const home = folder(file);
const bin = join(home, "bin");
const data = join(home, ".mcpproxy-demo");
let address = "";

before(async () => {
  const env = { HOME: home };
  const running = start(file, ["serve", "--demo", "--listen", "127.0.0.1:0"], env);
  file.after(async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  });
  [, address = ""] = await running.says(/MCP endpoint\s+http:\/\/(\S+)\/mcp\n/);
  mkdirSync(bin);
  // The alias of the first step, which only a shell at a prompt knows.
  writeFileSync(join(bin, "proxy"), `#!/bin/sh\nexec '${process.execPath}' '${BUNDLE}' -d '${data}' "$@"\n`);
  chmodSync(join(bin, "proxy"), 0o755);
});

for (const section of new Set(steps.map((step) => step.section)))
  test(`what docs/walkthrough.md shows under "${section}" is so`, async (t) => {
    if (process.platform === "win32") return t.skip("its commands are for a POSIX shell");
    for (const { commands, prints } of steps.filter((step) => step.section === section)) await follow(commands, prints);
  });

async function follow(commands: string, prints: string | undefined): Promise<void> {
  // By name it would also end the servers of others on this machine.
  if (commands.startsWith("pkill ")) return kill("everything");
  const wanted = prints === undefined ? /^/ : patternOf(at(prints));
  let printed = await run(at(commands));
  // What a person would see a moment later; adding twice is another matter.
  if (!commands.includes("upstream add"))
    await until(
      "it prints the right thing",
      () => wanted.test(printed),
      async () => {
        printed = await run(at(commands));
      },
    ).catch(() => {});
  assert.match(printed, wanted, commands);
}

const at = (text: string) => text.replaceAll("127.0.0.1:8080", address);

/** White space that stands before or after an ellipsis belongs to it. */
function patternOf(text: string): RegExp {
  const parts = text.trimEnd().split(/[ \n]*…[ \n]*/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[\\s\\S]*")}$`);
}

function run(commands: string): Promise<string> {
  return new Promise((done, fail) => {
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home };
    const shell = spawn("bash", ["-c", `exec 2>&1\n${commands}`], { env, stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    shell.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    shell.on("error", fail);
    shell.on("close", () => done(printed.trimEnd()));
  });
}

async function kill(server: string): Promise<void> {
  for (const { pid } of await familyOf(childOf({ dir: data }, server)))
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended by itself when its parent did.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
}
