import { spawn } from "node:child_process";

/** The command that opens a URL on each platform. The URL is a separate argument and is not interpreted by a shell. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a URL in the user's browser, without waiting for it.
 *
 * @returns false if no program can open it
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [program, ...args] = OPENERS[platform] ?? ["xdg-open"];
  return new Promise((done) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
    child.once("spawn", () => {
      child.unref();
      done(true);
    });
    child.once("error", () => done(false));
  });
}
