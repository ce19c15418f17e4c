import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { type JsonObject, sameJson, setOwnProperty } from "../../base/json-object.ts";
import { changedKeys } from "../../config/changed-keys.ts";
import { checkConfig } from "../../config/check.ts";
import type { Config } from "../../config/config-keys.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { SettingsChange } from "../../schema/settings-change.ts";
import { recordServerEdits } from "../servers/react-to-config.ts";

interface ChangeSettingsOptions {
  /** The action in the activity record. */
  action: "apply" | "patch" | "restore";
  /** Revisions of the document for which the change may be made; absent: any. */
  expected?: readonly string[] | undefined;
  /** Keys in the request; the response also names other keys that already wait for a restart. */
  asked?: readonly string[];
  /** Returns the new content of the file. @param document a copy of the current content */
  edit(document: JsonObject): JsonObject;
}

/**
 * Changes the configuration and reports which changes took effect (spec 000 §2.7, §4.6). Settings that need no restart
 * apply when the promise resolves; the others are stored for the next start. The effects on servers are recorded as for
 * any other change.
 *
 * @throws Fault management_disabled, registries_locked, changed_meanwhile, echoed_mask, config_invalid; nothing is
 *   changed then
 */
export async function changeSettings(
  app: App,
  { action, expected, asked, edit }: ChangeSettingsOptions,
  by: Actor,
): Promise<SettingsChange> {
  mayConfigure(app);
  let before: Config | undefined;
  let changed: string[] = [];
  const after = await app.config.update((draft) => {
    // The revision is checked here, because the update first adopts a change that a person made to the file.
    if (expected && !expected.includes(app.config.revision()))
      throw new Fault("changed_meanwhile", { what: "the configuration" });
    before = app.config.current();
    const stored = draft as unknown as JsonObject;
    const was = structuredClone(stored);
    const next = edit(structuredClone(stored));
    for (const key of Object.keys(stored)) if (!Object.hasOwn(next, key)) delete stored[key];
    for (const [key, value] of Object.entries(next))
      if (!sameJson(stored[key], value)) setOwnProperty(stored, key, value);
    // Omitted keys get their defaults. If a value is invalid, the update rejects the document.
    const checked = checkConfig(stored);
    changed = checked.ok ? changedKeys(was, checked.config as unknown as JsonObject) : [];
    // The list of registries has its own endpoints with their own checks, which this endpoint must not bypass.
    if (before.registries_locked && changed.includes("registries")) throw new Fault("registries_locked");
  }, by.caller.name);
  if (changed.length > 0) recordActivity(app, by, activity(action, changed));
  if (before) recordServerEdits(app, before, after, by, action !== "restore");
  return outcome(app, changed, asked ?? []);
}

/** Throws if the configuration must not be changed. @throws Fault management_disabled */
export function mayConfigure({ config }: Pick<App, "config">): void {
  if (config.current().read_only_mode) throw new Fault("management_disabled", { key: "read_only_mode" });
}

const activity = (action: ChangeSettingsOptions["action"], fields: string[]) =>
  ({ type: "config_change", status: "success", metadata: { action, fields } }) as const;

function outcome({ config }: App, changed: string[], asked: readonly string[]): SettingsChange {
  const pending = [...config.pendingRestart()];
  const about = changed.length > 0 ? changed : asked;
  const waiting = about.filter((key) => pending.some((path) => path.split(".")[0] === key));
  const overridden = changed.filter((key) => Object.hasOwn(config.overrides(), key));
  const applied = changed.filter((key) => !pending.includes(key) && !overridden.includes(key));
  const unknown = config.unknownKeys();
  return {
    success: true,
    applied_immediately: changed.length > 0 && waiting.length === 0 && overridden.length === 0,
    requires_restart: waiting.length > 0,
    ...(waiting.length > 0 && { restart_reason: `${waiting.join(", ")} takes effect at the next start` }),
    message: message(changed, waiting, overridden),
    changed_fields: changed,
    applied_fields: applied,
    restart_fields: waiting,
    overridden_fields: overridden,
    unknown_fields: changed.filter((key) => unknown.some((path) => path === key)),
    pending_restart: pending,
    revision: config.revision(),
  };
}

function message(changed: readonly string[], waiting: readonly string[], overridden: readonly string[]): string {
  if (changed.length === 0)
    return waiting.length > 0 ? "nothing changed; an earlier change takes effect at the next start" : "nothing changed";
  const hot = changed.filter((key) => !waiting.includes(key) && !overridden.includes(key));
  return [
    ...(hot.length > 0 ? [`applied: ${hot.join(", ")}`] : []),
    ...(waiting.length > 0 ? [`after a restart: ${waiting.join(", ")}`] : []),
    ...(overridden.length > 0
      ? [`written to the file but overridden by the environment or the command line: ${overridden.join(", ")}`]
      : []),
  ].join("; ");
}
