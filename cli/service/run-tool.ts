import { execFile } from "node:child_process";
import type { Cli } from "../cli.ts";
import type { Argv } from "./service.ts";

/** How long one command of the service manager may take (ms). */
const TIMEOUT_MS = 45_000;

/**
 * Runs a command of the service manager.
 *
 * @returns the exit code with the output; code 127 if there is no such program
 */
export function runTool([command, ...args]: Argv, { env, signal }: Pick<Cli, "env" | "signal">) {
  return new Promise<{ code: number; text: string }>((done, fail) => {
    const options = { env: { ...process.env, ...env }, signal, timeout: TIMEOUT_MS, windowsHide: true };
    execFile(command, args, options, (error, out, err) => {
      if (signal.aborted) return fail(signal.reason);
      const text = `${out}${err}`.trim();
      if (!error) return done({ code: 0, text });
      const { code } = error;
      done({ code: typeof code === "number" ? code : 127, text: text || error.message });
    });
  });
}

/** Runs a command. @throws Error with its output if it fails */
export async function requireTool(argv: Argv, cli: Pick<Cli, "env" | "signal">): Promise<void> {
  const { code, text } = await runTool(argv, cli);
  if (code !== 0) throw new Error(`${argv.join(" ")} failed${text === "" ? ` with code ${code}` : `: ${text}`}`);
}
