import { spawn } from "node:child_process";

/** What opens an address on each platform. The address is an argument of its own and passes no shell. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens an address in the person's browser, without waiting for it.
 *
 * @returns false where there is nothing to open it with
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
