import type { App } from "../../core/app.ts";
import type { RuleFinding, RuleSeverity } from "../../core/schema/rule-finding.ts";
import type { ScanFinding } from "../../core/schema/scan.ts";
import { isDemoServer } from "../../core/verbs/servers/demo.ts";
import { asReported, TOOL_DESCRIPTIONS } from "./discovered.ts";
import { scanSource } from "./rules/source.ts";
import { resembles } from "./rules/typosquat.ts";
import { type Outcome, reportedFinding, type ScannedFile, type Scanner, type Subject } from "./scanner.ts";
import { sourceFiles } from "./source-files.ts";

/** Number of tools between two checks of the abort signal. */
const SLICE = 20;

export const BUILT_IN: readonly Scanner[] = [
  {
    id: TOOL_DESCRIPTIONS,
    name: "Tool descriptions",
    description:
      "Scans every tool, prompt, resource and resource template, and the server's instructions, for text that attacks a model. Offline.",
    kind: "built-in",
    inputs: ["tools"],
    run: tools,
  },
  {
    id: "package-provenance",
    name: "Package provenance",
    description: "Checks the package: look-alike names, unpinned versions, lock files, install scripts. Offline.",
    kind: "built-in",
    inputs: ["definition"],
    run: provenance,
  },
  {
    id: "source-patterns",
    name: "Source patterns",
    description:
      "Scans the program's files, if they are on this machine, for code that steals data or loads programs. Offline.",
    kind: "built-in",
    inputs: ["source"],
    run: sources,
  },
];

/** Reports the findings of discovery. */
async function tools(app: App, { server, instructions }: Subject, signal: AbortSignal): Promise<Outcome> {
  const scan = await app.catalog.scanServer(server.name, instructions);
  signal.throwIfAborted();
  if (!scan) return { findings: [], complete: true, skipped: "the server has not listed anything yet" };
  return { findings: scan.findings.map(asReported), complete: scan.complete };
}

async function provenance(_: App, { server, launch, installed }: Subject): Promise<Outcome> {
  const found: RuleFinding[] = [];
  const add = (rule: string, severity: RuleSeverity, explanation: string, excerpt = "") =>
    found.push({ rule, severity, location: "definition", excerpt, explanation });
  const { source, name, version, digest, pinned } = launch;
  if (source === "npm" || source === "pypi") {
    const like = resembles(source, name);
    if (like)
      add("package.lookalike", "high", `the package name resembles the popular ${like.name} (${like.how})`, name);
    if (!pinned)
      add(
        "package.unpinned",
        "low",
        "no exact version is pinned, so another version may start next time",
        version ?? "",
      );
  }
  if (source === "image" && digest === undefined)
    add(
      "image.unpinned",
      "low",
      "the image is not pinned by its digest, so another image may start next time",
      version ?? "",
    );
  if (source === "remote" && /^http:\/\//i.test(name) && !/^http:\/\/(?:localhost|127\.|\[::1\])/i.test(name))
    add(
      "remote.unencrypted",
      "medium",
      "the connection is unencrypted: its data can be read and changed in transit",
      new URL(name).host,
    );
  if ((server.args ?? []).some((arg) => /^--(?:index-url|extra-index-url|registry|index)(?:=|$)/.test(arg)))
    add("package.other_registry", "medium", "the package comes from an unusual registry");
  const registryPackage = source === "npm" || /[\\/]node_modules[\\/]/.test(installed?.dir ?? "");
  if (installed && registryPackage) {
    if (installed.locked && installed.integrity === undefined)
      add("package.no_integrity", "low", "its lock file has no digest, so a replaced package would not be detected");
    if (installed.resolved !== undefined && !/^https:\/\//.test(installed.resolved))
      add("package.resolved_elsewhere", "medium", "its lock file takes it from a source other than a registry");
    if (source === "npm" && installed.name !== undefined && installed.name !== name)
      add("package.renamed", "high", "the installed package has another name", installed.name);
  }
  for (const [script, command] of Object.entries(installed?.installScripts ?? {})) {
    // The `prepare` script runs before publishing, not when the package is installed from a registry.
    if (script === "prepare" && registryPackage) continue;
    const builds = /^(?:node-gyp|prebuild-install|node-gyp-build|husky|tsc|npm run build)\b/.test(command);
    const [wrong] = scanSource(`package.json ${script}`, command);
    if (wrong) found.push({ ...wrong, location: `package.json: scripts.${script}` });
    else
      add(
        "package.install_script",
        builds ? "info" : "medium",
        `runs a program when it is installed (${script})`,
        command.slice(0, 160),
      );
  }
  const about = {
    scanner: "package-provenance",
    threat_type: "supply_chain" as const,
    ...((source === "npm" || source === "pypi") && { package_name: name }),
    ...(installed?.version !== undefined && { installed_version: installed.version }),
  };
  return { findings: found.map((finding) => reportedFinding(finding, about)), complete: true };
}

async function sources(app: App, { server, installed }: Subject, signal: AbortSignal): Promise<Outcome> {
  // The proxy's own files contain the patterns of the scan.
  if (isDemoServer(server, app.boot.self))
    return { findings: [], complete: true, skipped: "it is this program itself" };
  if (!installed) return { findings: [], complete: true, skipped: "its files were not found on this machine" };
  const state = { complete: true };
  const findings: ScanFinding[] = [];
  const files: ScannedFile[] = [];
  for await (const { path, size, text } of sourceFiles(installed.dir, signal, state)) {
    files.push({ path, size });
    for (const finding of scanSource(path, text))
      findings.push(reportedFinding(finding, { scanner: "source-patterns", threat_type: "malicious_code" }));
    if (findings.length > MAX_FINDINGS) {
      state.complete = false;
      break;
    }
    if (files.length % SLICE === 0) await new Promise<void>((next) => setImmediate(next));
  }
  return { findings, complete: state.complete, files };
}

/** After this many findings, no further files are read. */
const MAX_FINDINGS = 500;
