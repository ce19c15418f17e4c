import assert from "node:assert/strict";
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { after, test as nodeTest, type TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { issueSignInCode } from "#lib/core/api/authenticate/panel-session.ts";
import type { TestApp, TestOptions } from "./app.ts";
import { atEnd } from "./at-end.ts";
import { type Served, serve } from "./mcp.ts";
import { type ServedReplicas, serveReplicas } from "./panel-replicas.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** Folder of the screenshots, which are not committed. */
export const PICTURES = "dist/panel";

/** Width and height of each tested window size. */
export const SIZES = { phone: [360, 740], wall: [2560, 1440], laptop: [1280, 800] } as const;

/** The programs of Chromium. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

/** Chromium without windows of its own, whose pages cost a third less processor time. */
const HEADLESS = ["chromium-headless-shell", "chrome-headless-shell"];

/** Path of the first of these programs that the system has; undefined if it has none. */
export function browserPath(names: readonly string[] = BROWSERS): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not installed here.
      }
    }
  return undefined;
}

let launched: Promise<Browser> | undefined;

/** The browser of all tests of a process, which is closed after the last one; undefined if none is installed. */
export function openBrowser(): Promise<Browser> | undefined {
  const executablePath = browserPath([...HEADLESS, ...BROWSERS]);
  if (!executablePath || launched) return launched;
  launched = chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  // After a crash the next test starts another one.
  void launched.then((browser) => browser.on("disconnected", () => (launched = undefined)));
  atEnd.add(async () => (await launched)?.close());
  return launched;
}

/** Chromium ends all connections with this error when the machine gets or loses an interface, as for a container. */
const NETWORK_CHANGED = "ERR_NETWORK_CHANGED";

/** `PANEL_REPLICAS=1` runs every panel test over replicas, as far as a test does not ask for one proxy. */
const everywhere = process.env.PANEL_REPLICAS === "1" ? await startPostgres(after) : undefined;

export interface Panel extends Served {
  app: TestApp;
  /** Set with `replicasOn`. */
  replicas?: ServedReplicas;
  page: Page;
  context: BrowserContext;
  /** Opens a page of the panel by its path, such as `/servers`, and waits for its title. */
  open(path: string): Promise<void>;
  /** Checks accessibility with axe-core; fails on serious findings. */
  accessible(): Promise<void>;
  /** Takes screenshots at every size, light and dark, named `<name>-<width>-<light|dark>.png`. */
  pictures(name: string): Promise<void>;
}

export interface PanelOptions extends TestOptions {
  /** Whether the browser is signed in at first; default true. */
  signedIn?: boolean;
  /** The name by which the browser reaches the panel instead of the address; passkeys need one. */
  host?: "localhost";
  /** Why the test cannot run on this machine. */
  skip?: string | false;
  /** The database server of three replicas behind a balancer without affinity; `app` and `client` are the first one's. */
  replicasOn?: PostgresServer | undefined;
}

/**
 * Runs a test in a real browser against a real proxy with real upstreams. It is skipped without Chromium. Console
 * errors of the page and violations of its security policy fail the test. It is run again, with another proxy, if the
 * network of the machine changed meanwhile.
 */
export function panelTest(
  title: string,
  options: PanelOptions,
  fn: (panel: Panel, t: TestContext) => Promise<void>,
): void {
  const declared = new Error("declared");
  nodeTest(title, async (t) => {
    if (options.skip) return t.skip(options.skip);
    const browser = openBrowser();
    if (!browser) return t.skip("needs chromium");
    const run = async () => runInPanel(title, t, await browser, options, fn);
    await run()
      .catch((error) => {
        if (!String(error).includes(NETWORK_CHANGED)) throw error;
        t.diagnostic("run again, because the network of the machine changed");
        return run();
      })
      .catch((error) => {
        // The report names the test's file, although what failed may be here.
        if (error instanceof Error) error.stack += declared.stack?.replace(/^.*/, "") ?? "";
        throw error;
      });
  });
}

/** Runs a test once. */
async function runInPanel(
  title: string,
  t: TestContext,
  browser: Browser,
  options: PanelOptions,
  fn: (panel: Panel, t: TestContext) => Promise<void>,
): Promise<void> {
  const panel = await openPanel(t, browser, options);
  const { complaints } = panel;
  try {
    await fn(panel, t);
  } catch (error) {
    if (complaints.some((one) => one.includes(NETWORK_CHANGED))) throw new Error(NETWORK_CHANGED, { cause: error });
    mkdirSync(PICTURES, { recursive: true });
    const picture = join(PICTURES, `failed-${title.replaceAll(/\W+/g, "-").slice(0, 60)}.png`);
    await panel.page.screenshot({ path: picture }).catch(() => undefined);
    t.diagnostic(`the page as it was: ${picture}; it complained: ${complaints.join("; ") || "of nothing"}`);
    throw error;
  }
  assert.deepEqual(complaints, [], `the page complained: ${complaints.join("; ")}`);
}

/**
 * Reads a value of the page until it equals the expected one: the page shows what it loads when it has loaded it.
 * After 30 seconds the last value fails the test. For what must be absent, an immediate assertion is stricter.
 */
export async function becomes<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const end = Date.now() + 30_000;
  let value = await read();
  while (!isDeepStrictEqual(value, expected) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 20));
    value = await read();
  }
  assert.deepEqual(value, expected, message);
}

async function openPanel(t: TestContext, browser: Browser, given: PanelOptions) {
  const { signedIn = true, host, skip: _, replicasOn = everywhere, ...options } = given;
  const listening = replicasOn ? await serveReplicas(t, replicasOn, options) : await serve(t, options);
  const served = { ...listening, url: host ? listening.url.replace("127.0.0.1", host) : listening.url };
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    // The browser logs the status of error responses of the API, which the page shows to the user.
    if (
      message.type() === "error" &&
      !/^Failed to load resource: the server responded with a status of [45]/.test(text)
    )
      complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(served.url) && !request.url().startsWith("data:"))
      complaints.push(`a request elsewhere: ${request.url()}`);
  });
  // The machine is busy with other tests.
  page.setDefaultTimeout(60_000);
  if (signedIn) await signIn(served, page);
  const panel = {
    ...served,
    page,
    context,
    complaints,
    async open(to: string) {
      await page.goto(`${served.url}/ui${to}`);
      await page.locator("h1").waitFor();
      await page.locator("main:not(:has(.skeleton))").waitFor();
    },
    accessible: () => accessible(page),
    pictures: (name: string) => pictures(page, name),
  };
  return panel;
}

/** Signs in by a link, as `proxy ui` does. */
async function signIn({ app, url }: Served, page: Page): Promise<void> {
  await page.goto(`${url}/ui/#code=${(await issueSignInCode(app)).code}`);
  await page.locator(".side").waitFor({ state: "attached" });
}

const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

async function accessible(page: Page): Promise<void> {
  // The contrast of colours cannot be measured during a transition.
  await page.emulateMedia({ reducedMotion: "reduce" });
  if (await page.evaluate("!window.axe")) await page.evaluate(axe);
  const findings = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"], preload: false }).then((r) => r.violations)`,
  )) as Finding[];
  const serious = findings.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((n) => `  ${n.target.join(" ")}: ${n.failureSummary}`).join("\n")}`,
  );
  assert.deepEqual(told, [], "axe-core found serious barriers");
}

/**
 * Checks the width of a page at each size; `PROXY_PICTURES=1` also stores screenshots in both colour schemes, which take a
 * second each.
 */
async function pictures(page: Page, name: string): Promise<void> {
  const isKept = process.env.PROXY_PICTURES === "1";
  if (isKept) mkdirSync(PICTURES, { recursive: true });
  const before = page.viewportSize();
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [width, height] of Object.values(SIZES)) {
    await page.setViewportSize({ width, height });
    assert.ok(
      await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
      `${name} is wider than ${width} px`,
    );
    if (!isKept) continue;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // A canvas is drawn one frame later.
      await drawn(page);
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  if (before && !isDeepStrictEqual(before, page.viewportSize())) await page.setViewportSize(before);
  // A click during a resize hits another element.
  await drawn(page);
}

const drawn = (page: Page) =>
  page.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))");
