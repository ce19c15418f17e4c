import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { folder, run, type Scope } from "#test/kit/program.ts";

/** One thing a scenario of the official conformance suite looked at. */
export interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

/**
 * The suite as one program, made from an installed package. It imports a function that Node 20 has not, though it needs
 * it for no server; bundled it starts all the same. It lies where nobody else writes.
 */
export async function suiteProgram(scope: Scope, name: string): Promise<string> {
  const entry = resolve("node_modules", name, "dist/index.js");
  const outfile = join(folder(scope), "conformance.cjs");
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    // Next to it stand the lists of what a revision requires.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) },
    outfile,
  });
  return outfile;
}

/** What one scenario of a client found. @param argv of the suite's command `client` */
export async function clientChecks(scope: Scope, suite: string, argv: readonly string[]): Promise<Check[]> {
  const results = folder(scope);
  await run(scope, [suite, "client", ...argv, "--output-dir", results]);
  return readdirSync(results, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith("checks.json"))
    .flatMap((path): Check[] => JSON.parse(readFileSync(join(results, path), "utf8")));
}

/** What each scenario of one run found, by its name. */
export function foundIn(results: string): Map<string, Check[]> {
  return new Map(
    readdirSync(results).map((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
      return [scenario, JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")) as Check[]];
    }),
  );
}

/** What a scenario found wrong, in its own words. */
export function wrongIn(checks: readonly Check[]): string[] {
  return checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
}

/** Fails unless a scenario found something right and nothing wrong. */
export function assertPassed(checks: readonly Check[] = []): void {
  assert.deepEqual(wrongIn(checks), []);
  assert.ok(
    checks.some(({ status }) => status === "SUCCESS"),
    "nothing was found right",
  );
}
