import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import { nearestWords } from "../../core/base/nearest.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { ScannerShape } from "../../core/schema/scanner-shapes.ts";
import { restoreMasked } from "../../core/secrets/mask/restore-masked.ts";
import { maskServer } from "../../core/secrets/mask/server.ts";
import { mayManage } from "../../core/verbs/servers/may-manage.ts";
import { containerEngine } from "../isolation/state.ts";
import { BUILT_IN } from "./built-in.ts";
import type { ScannerChange } from "./config.ts";
import { externalScanner } from "./external-scanner.ts";
import { Fault } from "./faults.ts";
import type { Scanner } from "./scanner.ts";

/** The record of a scanner. */
type ScannerEntry = InferOutput<typeof ScannerShape>;

/** All scanners: the built-in ones, then those of the configuration. */
function scanners(app: App): Scanner[] {
  return [...BUILT_IN, ...app.config.current().security.scanners.map(externalScanner)];
}

/** The scanners of a scan: the named ones, or all enabled ones. @throws Fault no_such_record */
export function chosenScanners(app: App, ids?: readonly string[]): Scanner[] {
  const all = scanners(app);
  if (ids && ids.length > 0) return [...new Set(ids)].map((id) => byId(all, id));
  const off = app.config.current().security.disabled_scanners;
  return all.filter(({ id }) => !off.includes(id));
}

/** Lists the built-in and the configured scanners, and whether each can run. Secret variables are masked. */
export async function listScanners(app: App): Promise<ScannerEntry[]> {
  const all = scanners(app);
  const engine = all.some(({ kind }) => kind === "container") ? await app.part(containerEngine).state() : undefined;
  const off = app.config.current().security.disabled_scanners;
  const entries = new Map(app.config.current().security.scanners.map((entry) => [entry.id, entry]));
  return all.map(({ id, name, description, kind, inputs, image }) => {
    const entry = kind === "container" ? entries.get(id) : undefined;
    const enabled = !off.includes(id);
    const away = kind === "container" && engine?.available !== true;
    return {
      id,
      name,
      description,
      kind,
      inputs: [...inputs],
      ...(image !== undefined && { docker_image: image }),
      ...(entry && { configured_env: maskServer({ env: entry.env }).env, network: entry.network }),
      ...(entry?.timeout !== undefined && { timeout: entry.timeout }),
      enabled,
      status: !enabled ? "disabled" : away ? "unavailable" : "available",
      ...(enabled && away && { error_message: engine?.error ?? "no container engine is available" }),
    };
  });
}

/** The record of one scanner. @throws Fault no_such_record */
export async function scannerEntry(app: App, id: string): Promise<ScannerEntry> {
  byId(scanners(app), id);
  return (await listScanners(app)).find((entry) => entry.id === id)!;
}

/**
 * Configures an external scanner.
 *
 * @throws Fault no_such_record, scanner_fixed for a built-in one, echoed_mask, management_disabled
 */
export async function configureScanner(
  app: App,
  id: string,
  change: InferOutput<typeof ScannerChange>,
  by: Actor,
): Promise<void> {
  mayManage(app, by, "change");
  if (byId(scanners(app), id).kind === "built-in") throw new Fault("scanner_fixed", { id });
  const { env = {}, docker_image: image, network, timeout } = change;
  await app.config.update((draft) => {
    const changed = draft.security.scanners.map((entry) => {
      if (entry.id !== id) return entry;
      const restored = restoreMasked({ env: entry.env }, { env });
      const merged = Object.entries({ ...entry.env, ...restored.env }).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      );
      return {
        ...entry,
        env: Object.fromEntries(merged),
        ...(image !== undefined && { image }),
        ...(network !== undefined && { network }),
        ...(timeout !== undefined && { timeout }),
      };
    });
    draft.security = { ...draft.security, scanners: changed };
  }, by.caller.name);
  app.events.publish("security.scanner_changed", { scanner_id: id, status: "configured" });
}

/** Enables or disables a scanner for scans that name none. @throws Fault no_such_record, management_disabled */
export async function setScannerEnabled(app: App, id: string, enabled: boolean, by: Actor): Promise<void> {
  mayManage(app, by, "change");
  byId(scanners(app), id);
  await app.config.update((draft) => {
    const off = draft.security.disabled_scanners.filter((other) => other !== id);
    draft.security = { ...draft.security, disabled_scanners: enabled ? off : [...off, id] };
  }, by.caller.name);
  app.events.publish("security.scanner_changed", { scanner_id: id, status: enabled ? "enabled" : "disabled" });
}

function byId(all: readonly Scanner[], id: string): Scanner {
  const found = all.find((scanner) => scanner.id === id);
  if (!found) {
    const ids = all.map((scanner) => scanner.id);
    throw new Fault("no_such_record", { what: "scanner", id, near: nearestWords(id, ids, 2) });
  }
  return found;
}
