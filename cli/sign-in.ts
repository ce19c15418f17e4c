import type { ReadStream } from "node:tty";
import { RestError } from "#lib/client/error.ts";
import type { LoginStarted, LoginStatus } from "#lib/core/schema/login.ts";
import { createBrowser } from "#lib/modules/oauth/browser.ts";
import { askSecret } from "./ask-secret.ts";
import type { Cli } from "./cli.ts";
import { EXIT } from "./exit.ts";
import { quoted } from "./self.ts";
import { spinner } from "./spinner.ts";

/** Interval between requests for the state of the sign-in (ms). */
const POLL_MS = 500;
/** Timeout of the discovery (ms). */
const START_MS = 60_000;

interface SignInOptions {
  /**
   * For a browser on another machine: asks for the URL at which the browser ended, for the current sign-in or a new
   * one.
   */
  paste: boolean | undefined;
  /** False to only print the URL. */
  browser: boolean | undefined;
  /** False to return before the sign-in is finished. */
  wait: boolean | undefined;
  /** Timeout of the sign-in (ms). */
  timeoutMs: number;
}

/** Lets the user sign in at one server, in a browser on this machine. @returns the exit code */
export async function signIn(cli: Cli, name: string, options: SignInOptions): Promise<number> {
  const { paste, timeoutMs } = options;
  const login = `${cli.self} upstream login ${quoted(name)}`;
  const { pending } = paste ? await cli.call("GET /api/v1/servers/{name}/login", { params: { name } }) : {};
  if (pending) {
    cli.stderr.write(`A sign-in at "${name}" is in progress; to start another: ${login}\n`);
    return await finished(cli, name, { ...pending, timeoutMs, ask: "Paste the last address of the browser" });
  }
  const started = await begin(cli, name);
  const { auth_url: url, correlation_id } = started;
  const why = options.browser === false ? "disabled" : paste ? "--paste asks for its address" : undefined;
  const failed = why ?? (await createBrowser(cli.env).open(url));
  const elsewhere = `If the browser is on another machine, pass its last address to: ${login} --paste`;
  if (options.wait === false) {
    const browser = { browser_opened: failed === undefined, browser_error: failed };
    await cli.show({ ...started, ...browser }, () =>
      failed ? `${address(url)}\n${elsewhere}` : "finish the sign-in in the browser",
    );
    return EXIT.ok;
  }
  cli.stderr.write(failed === undefined ? `Finish signing in to "${name}" in the browser.\n` : `${address(url)}\n`);
  if (failed === undefined) return await finished(cli, name, { correlation_id, timeoutMs });
  if (paste)
    return await finished(cli, name, { correlation_id, timeoutMs, ask: "Paste the last address of the browser" });
  const ask = "If the browser is on another machine, paste its last address";
  if (isTerminal(cli)) return await finished(cli, name, { correlation_id, timeoutMs, ask });
  cli.stderr.write(`${elsewhere}\n`);
  return await finished(cli, name, { correlation_id, timeoutMs });
}

/** A sign-in that the command waits for. */
interface Waited {
  readonly correlation_id: string;
  /** Longest wait (ms). */
  readonly timeoutMs: number;
  /** Prompt for the URL at which the browser ended; absent if only the browser can finish the sign-in. */
  readonly ask?: string;
}

/** Waits until the browser returns or its URL is entered. @returns the exit code */
async function finished(cli: Cli, name: string, awaited: Waited): Promise<number> {
  const end = new AbortController();
  const signal = AbortSignal.any([cli.signal, end.signal]);
  try {
    const ways = [polled(cli, name, awaited, signal)];
    if (awaited.ask !== undefined) ways.push(askRedirectUrl(cli, name, awaited.ask, signal));
    const status = await Promise.race(ways);
    if (status) return await showOutcome(cli, status);
  } finally {
    end.abort();
  }
  cli.stderr.write("No longer waiting; you can still finish the sign-in in the browser.\n");
  return EXIT.failed;
}

/** Starts the sign-in; the discovery can take long. */
async function begin(cli: Cli, name: string): Promise<LoginStarted> {
  const progress = spinner(cli.stderr);
  progress.say(`looking up the sign-in address of "${name}"`);
  try {
    return await cli.call("POST /api/v1/servers/{name}/login", { params: { name } }, { timeoutMs: START_MS });
  } finally {
    progress.stop();
  }
}

const address = (url: string) => `Open this address in a browser to sign in:\n\n  ${url}\n`;
const isTerminal = ({ stdin }: Cli) => (stdin as Partial<ReadStream>).isTTY === true;

/** Asks for the URL at which the browser ended until it is valid, and submits it. */
async function askRedirectUrl(cli: Cli, name: string, what: string, signal: AbortSignal): Promise<LoginStatus> {
  for (;;) {
    const text = await askSecret(what, { ...cli, signal });
    // An empty answer means waiting for the browser.
    if (isTerminal(cli) && text.trim() === "") return await new Promise(() => {});
    try {
      const request = { params: { name }, body: { redirect_url: text } };
      return await cli.call("POST /api/v1/servers/{name}/login/finish", request, { timeoutMs: START_MS });
    } catch (error) {
      if (!(error instanceof RestError && error.code === "invalid_request" && isTerminal(cli))) throw error;
      cli.stderr.write(`${error.message.replace(/^redirect_url: /, "")}\n`);
    }
  }
}

/** Requests the state until the sign-in ends; undefined on timeout. */
async function polled(
  cli: Cli,
  name: string,
  { correlation_id, timeoutMs }: Waited,
  signal: AbortSignal,
): Promise<LoginStatus | undefined> {
  const { systemClock } = await import("#lib/core/base/clock.ts");
  const end = systemClock.now() + timeoutMs;
  for (;;) {
    const status = await cli.call("GET /api/v1/servers/{name}/login", { params: { name } });
    if (status.pending?.correlation_id !== correlation_id) return status;
    if (systemClock.now() >= end) return undefined;
    await systemClock.sleep(POLL_MS, signal);
  }
}

/** Prints the outcome. */
async function showOutcome(cli: Cli, status: LoginStatus): Promise<number> {
  await cli.show(status, () => describe(status));
  return status.state === "signed_in" && !status.failure ? EXIT.ok : EXIT.failed;
}

/** Describes the state of the sign-in at a server in one or two lines. */
export function describe(status: LoginStatus): string {
  const { server_name: name, state, failure, expires_at, renewable, pending, missing_scopes, retry } = status;
  const stateText = (): string => {
    switch (state) {
      case "pending":
        return `waiting for the browser until ${pending?.expires_at ?? ""}`;
      case "signed_in":
        return `signed in${renewable ? "" : expires_at ? ` until ${expires_at}` : ""}`;
      case "signed_out":
        return "signed out";
      case "expired":
        return `the sign-in ended${status.ended ? `: ${status.ended}` : ""}`;
      case "failed":
        return "not signed in";
      case "none":
        return "not signed in";
    }
  };
  return [
    `server "${name}": ${stateText()}`,
    ...(failure ? [`  ${failure.message}`, `  What to do: ${failure.suggestion}`] : []),
    ...(retry ? [`  renewal failed: ${retry.reason}; next attempt at ${retry.at}`] : []),
    ...(missing_scopes ? [`  the next sign-in requests more scopes: ${missing_scopes.join(" ")}`] : []),
  ].join("\n");
}
