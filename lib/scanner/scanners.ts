import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { mayManage } from "../servers/may.ts";
import type { Actor } from "../shape/caller.ts";
import { BUILT_IN } from "./built-in.ts";
import { external } from "./external.ts";
import type { Scanner } from "./scanner.ts";

/** A scanner as it is listed. */
export interface ScannerEntry {
  id: string;
  name: string;
  description: string;
  kind: "built-in" | "container";
  inputs: string[];
  docker_image?: string;
  enabled: boolean;
  status: "available" | "disabled" | "unavailable";
  error_message?: string;
}

/** Every scanner there is: those built in, then those of the configuration. */
export function scanners(app: App): Scanner[] {
  return [...BUILT_IN, ...app.config.current().security.scanners.map(external)];
}

/** Those that a scan runs: the named ones, or all that are not switched off. @throws Fault no_such_record */
export function chosen(app: App, ids?: readonly string[]): Scanner[] {
  const all = scanners(app);
  if (ids && ids.length > 0) return [...new Set(ids)].map((id) => byId(all, id));
  const off = app.config.current().security.disabled_scanners;
  return all.filter(({ id }) => !off.includes(id));
}

export async function list(app: App): Promise<ScannerEntry[]> {
  const all = scanners(app);
  const engine = all.some(({ kind }) => kind === "container") ? await app.engine.state() : undefined;
  const off = app.config.current().security.disabled_scanners;
  return all.map(({ id, name, description, kind, inputs, image }) => {
    const enabled = !off.includes(id);
    const away = kind === "container" && engine?.available !== true;
    return {
      id,
      name,
      description,
      kind,
      inputs: [...inputs],
      ...(image !== undefined && { docker_image: image }),
      enabled,
      status: !enabled ? "disabled" : away ? "unavailable" : "available",
      ...(enabled && away && { error_message: engine?.error ?? "no container engine answers" }),
    };
  });
}

/** Switches a scanner on or off for scans that name none. @throws Fault no_such_record, management_disabled */
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
  if (!found) throw new Fault("no_such_record", { what: "scanner", id });
  return found;
}
