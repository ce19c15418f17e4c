import { spawn } from "node:child_process";
import type { Browser } from "../../core/app.ts";
import { isCi } from "../../core/base/is-ci.ts";

/** A launcher that has not failed within this time has passed the URL to the browser (ms). */
const TIMEOUT_MS = 3000;

export function createBrowser(env: Readonly<Record<string, string | undefined>>, platform = process.platform): Browser {
  return {
    async open(url) {
      const absent = whyNone(env, platform);
      if (absent) return absent;
      const { protocol } = new URL(url);
      if (protocol !== "https:" && protocol !== "http:")
        return `the proxy does not open ${protocol} addresses in a browser`;
      return await run(...starter(platform), url, env);
    },
  };
}

/** Why no browser can be opened on the screen of the user; undefined if one may be available (reference 6.3). */
export function whyNone(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  for (const name of ["NO_BROWSER", "HEADLESS"]) if (env[name]) return `${name} is set`;
  if (isCi(env)) return "CI is set";
  if (env.SSH_CONNECTION || env.SSH_TTY) return "this is an SSH session";
  if (platform !== "darwin" && platform !== "win32" && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return "there is no display";
  return undefined;
}

/** The program that opens a URL. It takes the URL as one argument, so no shell interprets it. */
function starter(platform: NodeJS.Platform): [command: string, args: string[]] {
  if (platform === "darwin") return ["open", []];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler"]];
  return ["xdg-open", []];
}

function run(
  command: string,
  args: string[],
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true, windowsHide: true, env });
    const timer = setTimeout(() => done(undefined), TIMEOUT_MS);
    const ended = (reason: string | undefined) => {
      clearTimeout(timer);
      done(reason);
    };
    child.on("error", (error: NodeJS.ErrnoException) =>
      ended(error.code === "ENOENT" ? `${command} is not installed` : error.message),
    );
    child.on("exit", (code) => ended(code === 0 ? undefined : `${command} ended with code ${code}`));
    child.unref();
  });
}
