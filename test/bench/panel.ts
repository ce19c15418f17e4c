import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { issueSignInCode } from "#lib/core/api/authenticate/panel-session.ts";
import { panelFiles } from "#lib/core/api/panel/panel-files.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { browserPath } from "#test/kit/browser.ts";

const RUNS = 9;
const ROWS = 10_000;

/**
 * How soon the panel is painted in a browser that knows nothing of it, beside a blank page from the same machine; how
 * long frames take while ten thousand rows are scrolled. (ms)
 */
export async function benchPanel() {
  const executablePath = browserPath();
  if (!executablePath) return { skipped: "needs chromium" };
  const servers = Array.from({ length: ROWS }, (_, i) => ({ name: `server-${i}`, command: "true", enabled: false }));
  const few = await testApp({ connect: false, servers: servers.slice(0, 20) });
  const many = await testApp({ connect: false, servers });
  const blank = createServer((_, res) => res.setHeader("content-type", "text/html").end("<!doctype html><p>blank"));
  await new Promise<void>((done) => blank.listen(0, "127.0.0.1", done));
  const [small, large] = [await listenTest(few), await listenTest(many)];
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const empty = `http://127.0.0.1:${(blank.address() as AddressInfo).port}/`;
    const paints: { blank: number[]; panel: number[] } = { blank: [], panel: [] };
    for (let i = 0; i < RUNS; i++) {
      paints.blank.push(await firstPaint(browser, empty));
      paints.panel.push(
        await firstPaint(browser, `${small.url}/ui/#code=${(await issueSignInCode(few)).code}`, ".stats"),
      );
    }
    const [first, other] = [median(paints.panel), median(paints.blank)];
    const size = Object.values(panelFiles()).reduce((sum, bytes) => sum + bytes, 0);
    return {
      first_view_ms: first,
      blank_page_ms: other,
      ratio: Math.round((first / other) * 10) / 10,
      bytes_in_all: size,
      scrolling: await scrolled(browser, `${large.url}/ui/#code=${(await issueSignInCode(many)).code}`, large.url),
    };
  } finally {
    await browser.close();
    blank.close();
    for (const { close } of [small, large]) await close();
    for (const app of [few, many]) await app.close();
  }
}

/** From the request to what was waited for, or to the first paint. */
async function firstPaint(browser: Browser, url: string, until?: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  if (until) await page.locator(until).waitFor();
  const at = (await page.evaluate(
    until
      ? "performance.now()"
      : "new Promise((r) => requestAnimationFrame(() => setTimeout(() => r(performance.now()))))",
  )) as number;
  await context.close();
  return at;
}

async function scrolled(browser: Browser, link: string, url: string) {
  const page: Page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(link);
  await page.locator(".side").waitFor();
  await page.goto(`${url}/ui/servers`);
  await page.locator("[data-row='0']").waitFor();
  const frames = (await page.evaluate(`new Promise((done) => {
    const main = document.querySelector("main");
    const took = [];
    let last = performance.now();
    const step = (now) => {
      took.push(now - last);
      last = now;
      main.scrollBy(0, 400);
      took.length < 240 ? requestAnimationFrame(step) : done(took.slice(1));
    };
    requestAnimationFrame(step);
  })`)) as number[];
  frames.sort((a, b) => a - b);
  const at = (share: number) => Math.round(frames[Math.floor(frames.length * share)]! * 10) / 10;
  return { rows: ROWS, frame_p50_ms: at(0.5), frame_p95_ms: at(0.95), frame_p99_ms: at(0.99) };
}

function median(values: number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!);
}
