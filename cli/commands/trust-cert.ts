import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { certsOf } from "#lib/client/find-proxy.ts";
import { certFiles, certificate, readPem } from "#lib/modules/tls/files.ts";
import { type Machine, type Step, trustSteps } from "#lib/modules/tls/trust.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { quoted } from "../self.ts";

export default command({
  meta: {
    group: "clients",
    description: "Trust the proxy's certificate authority on this machine",
    detail:
      "Installs the proxy's local certificate authority (ca.pem) for the current user, and shows the steps that require an administrator. " +
      "The authority can only sign certificates for the proxy's own names. Works without a running proxy.",
    examples: ["proxy trust-cert", "proxy trust-cert --print", "proxy trust-cert --remove"],
  },
  args: {
    print: { type: "boolean", description: "only show what would be done" },
    remove: { type: "boolean", description: "remove the authority" },
  },
  async run({ cli, args: { print = false, remove = false } }) {
    const dir = certsOf({ ...cli.globals, env: cli.env });
    const path = certFiles(dir).ca;
    const text = await readPem(path);
    if (text === undefined)
      throw new UsageError(`${path} does not exist; the proxy creates it when it starts with tls.enabled: true`);
    const authority = certificate(text, path);
    const machine = thisMachine(cli);
    const done = [];
    for (const step of trustSteps(machine, authority, path, remove)) {
      const may = !print && (machine.root || !step.needsRoot);
      done.push({ ...step, state: may ? await carryOut(cli, step) : ("left" as const) });
    }
    const whole = { ca: path, fingerprint: authority.fingerprint256, expires_at: authority.validTo };
    const steps = done.map(({ place, commands, needsRoot, state }) => ({
      place,
      state,
      commands: commands.map((words) => line(words, needsRoot && !machine.root)),
    }));
    await cli.show({ ...whole, steps }, () => resultText(path, steps, { print, remove }));
    return print || steps.some(({ state }) => state === "done") ? EXIT.ok : EXIT.failed;
  },
});

interface Done {
  place: string;
  state: "done" | "failed" | "left";
  commands: string[];
}

function resultText(
  path: string,
  steps: readonly Done[],
  { print, remove }: { print: boolean; remove: boolean },
): string {
  const resultWords = { done: remove ? "removed from" : "now trusted by", failed: "failed for" };
  const byHand = steps.filter(({ state }) => state !== "done");
  return [
    ...steps.flatMap(({ place, state }) => (state === "left" ? [] : [`${resultWords[state]} ${place}`])),
    ...(byHand.length > 0 ? [print ? "commands that would run:" : "remaining steps:"] : []),
    ...byHand.flatMap(({ commands }) => commands.map((text) => `  ${text}`)),
    ...(steps.length === 0 ? [`no known certificate store on this machine; configure ${path} in each program`] : []),
    ...(remove ? [] : [`Node.js programs require: NODE_EXTRA_CA_CERTS=${quoted(path)}`]),
  ].join("\n");
}

const line = (words: readonly string[], sudo: boolean) => [...(sudo ? ["sudo"] : []), ...words.map(quoted)].join(" ");

async function carryOut({ env, note, signal }: Cli, { commands }: Step): Promise<"done" | "failed"> {
  for (const [program = "", ...args] of commands) {
    const why = await new Promise<string | undefined>((end) => {
      let output = "";
      const child = spawn(program, args, { env: { ...env }, signal, stdio: ["ignore", "pipe", "pipe"] });
      for (const out of [child.stdout, child.stderr])
        out.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      child.once("error", (error) => end(error.message));
      child.once("close", (code) => end(code === 0 ? undefined : output.trim() || `it ended with ${code}`));
    });
    if (why === undefined) continue;
    note(`${program}: ${why}`);
    return "failed";
  }
  return "done";
}

function thisMachine({ env }: Pick<Cli, "env">): Machine {
  const home = env.HOME || env.USERPROFILE || homedir();
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const root = process.getuid?.() === 0;
  // The PATH of other users does not contain the administrator's programs; for them the commands are only printed.
  const folders = root ? path : [...path, "/usr/sbin", "/sbin"];
  return {
    platform: process.platform,
    home,
    root,
    has: (program) => folders.some((folder) => existsSync(join(folder, program))),
    nss: [join(home, ".pki/nssdb"), ...profiles(join(home, ".mozilla/firefox"))].filter((dir) =>
      existsSync(join(dir, "cert9.db")),
    ),
  };
}

function profiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
