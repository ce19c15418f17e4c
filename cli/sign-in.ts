import { createBrowser } from "#lib/oauth/browser.ts";
import type { LoginStatus } from "#lib/shape/login.ts";
import { askSecret } from "./ask-secret.ts";
import type { Cli } from "./cli.ts";
import { EXIT } from "./exit.ts";

/** Between two looks at whether somebody finished. (ms) */
const POLL_MS = 500;
/** Finding out where to sign in may take this long. (ms) */
const START_MS = 60_000;

export interface SignInOptions {
  /** The browser is on another machine: the address it ends at is asked for. */
  paste: boolean | undefined;
  /** False: the address is shown only. */
  browser: boolean | undefined;
  /** False: the sign-in goes on without this command. */
  wait: boolean | undefined;
  /** Longest wait (ms). */
  timeoutMs: number;
}

/** Has a person sign in at one server. The browser is opened here, where the person sits. @returns the exit code */
export async function signIn(cli: Cli, name: string, options: SignInOptions): Promise<number> {
  const params = { name };
  const started = await cli.call("POST /api/v1/servers/{name}/login", { params }, { timeoutMs: START_MS });
  const { auth_url: url } = started;
  const why = options.browser === false ? "not wanted" : options.paste ? "its address is asked for" : undefined;
  const failed = why ?? (await createBrowser(cli.env).open(url));
  if (options.wait === false) {
    const browser = { browser_opened: failed === undefined, browser_error: failed };
    await cli.show({ ...started, ...browser }, () => (failed ? address(url) : "finish signing in in the browser"));
    return EXIT.ok;
  }
  cli.stderr.write(failed === undefined ? `Finish signing in to "${name}" in the browser.\n` : `${address(url)}\n`);
  if (options.paste) {
    const pasted = await askSecret("The address the browser ended at", cli);
    const body = { redirect_url: pasted };
    const status = await cli.call(
      "POST /api/v1/servers/{name}/login/finish",
      { params, body },
      { timeoutMs: START_MS },
    );
    return await told(cli, status);
  }
  if (failed !== undefined)
    cli.stderr.write(`When that browser is on another machine: ${cli.self} upstream login ${name} --paste\n`);
  return await waited(cli, name, started.correlation_id, options.timeoutMs);
}

const address = (url: string) => `Open this address in a browser to sign in:\n\n  ${url}\n`;

async function waited(cli: Cli, name: string, correlationId: string, timeoutMs: number): Promise<number> {
  const { systemClock } = await import("#lib/base/clock.ts");
  const end = systemClock.now() + timeoutMs;
  for (;;) {
    const status = await cli.call("GET /api/v1/servers/{name}/login", { params: { name } });
    if (status.pending?.correlation_id !== correlationId) return await told(cli, status);
    if (systemClock.now() >= end) {
      cli.stderr.write("Not waiting any longer; the sign-in can still be finished in the browser.\n");
      return EXIT.failed;
    }
    await systemClock.sleep(POLL_MS, cli.signal);
  }
}

/** Shows how it ended. */
async function told(cli: Cli, status: LoginStatus): Promise<number> {
  await cli.show(status, () => describe(status));
  return status.state === "signed_in" && !status.failure ? EXIT.ok : EXIT.failed;
}

/** How the sign-in at a server stands, in a line or two. */
export function describe(status: LoginStatus): string {
  const { server_name: name, state, failure, expires_at, renewable, pending, missing_scopes } = status;
  const said = (): string => {
    switch (state) {
      case "pending":
        return `waits for the browser until ${pending?.expires_at ?? ""}`;
      case "signed_in":
        return `signed in${renewable ? "" : expires_at ? ` until ${expires_at}` : ""}`;
      case "signed_out":
        return "signed out";
      case "expired":
        return `the sign-in has ended${status.ended ? `: ${status.ended}` : ""}`;
      case "failed":
        return "not signed in";
      case "none":
        return "nobody is signed in";
    }
  };
  return [
    `server "${name}": ${said()}`,
    ...(failure ? [`  ${failure.message}`, `  What to do: ${failure.suggestion}`] : []),
    ...(missing_scopes ? [`  the next sign-in asks for more: ${missing_scopes.join(" ")}`] : []),
  ].join("\n");
}
