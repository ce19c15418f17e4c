import { hash } from "node:crypto";
import { basename } from "node:path";
import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import { removeLeftoverFiles } from "../../core/base/file.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { ConnectResultShape } from "../../core/schema/connect-shapes.ts";
import { makeToken, unmakeToken } from "./credential.ts";
import { decode } from "./document.ts";
import { put } from "./edit.ts";
import { Fault } from "./faults.ts";
import { backUp, isDenied, look, remedyFor, replaceFile } from "./file.ts";
import { type ConnectPlan, connectPlan } from "./plan.ts";
import { clientFileTurns } from "./state.ts";
import { clientOf, targetOf } from "./target.ts";
import { fits } from "./token.ts";
import { addWrite, dropWrite, type Write } from "./writes.ts";

/** The result of a connect, disconnect or undo (reference 9.2). */
export type ConnectResult = InferOutput<typeof ConnectResultShape>;

interface ConnectWish {
  /** Name of the entry; empty for the default. */
  name: string;
  /** Whether an entry of this name may be replaced. */
  force: boolean;
  /** The precondition token of the preview that the person saw. */
  token?: string | undefined;
}

/**
 * Writes this proxy's entry into a client's configuration (spec 000 §4.5). An existing file is backed up, then replaced
 * atomically, so that a crash leaves either the old or the new content.
 *
 * @throws Fault no_such_record, connect_conflict, connect_refused, connect_denied, token_limit, invalid_request
 */
export async function connect(app: App, id: string, wish: ConnectWish, by: Actor): Promise<ConnectResult> {
  const client = clientOf(id);
  const { path } = await targetOf(app, client);
  return app.part(clientFileTurns)(path, async () => {
    const plan = await connectPlan(app, client, wish.name);
    guard(app, plan, wish);
    // Temporary files of a process that was killed during its write. A failure to remove them does no harm.
    if (plan.found.state === "file") await removeLeftoverFiles(path, app.clock.now()).catch(() => undefined);
    const made = plan.needsCredential && plan.secret === undefined ? await makeToken(app, client.id, by) : undefined;
    try {
      return await write(app, plan, made, by);
    } catch (error) {
      if (made) await unmakeToken(app, client.id, made.name, by);
      throw deniedOr(error, plan.path, app);
    }
  });
}

function guard(app: App, plan: ConnectPlan, { token, force }: ConnectWish): void {
  const { client, name, existing, refusal } = plan;
  const conflict = (action: "precondition_failed" | "already_exists", reason: string) =>
    new Fault("connect_conflict", { action, reason, client: client.id, path: plan.path, server_name: name });
  if (token !== undefined && !fits(app, plan, token)) throw stale(plan);
  if (refusal) throw refusal;
  if (existing && !force)
    throw conflict(
      "already_exists",
      `${client.name} already has an entry "${name}"; request a new preview and repeat with force to replace it`,
    );
}

function stale({ client, path, name }: Pick<ConnectPlan, "client" | "path" | "name">): Fault {
  return new Fault("connect_conflict", {
    action: "precondition_failed",
    reason: `the configuration of ${client.name} or the entry has changed since the preview; request a new preview`,
    client: client.id,
    path,
    server_name: name,
  });
}

async function write(
  app: App,
  plan: ConnectPlan,
  made: { name: string; secret: string } | undefined,
  by: Actor,
): Promise<ConnectResult> {
  const { client, path, name, found, text, existing } = plan;
  const next = put(client, text, name, plan.entry(made?.secret ?? plan.secret));
  const result = { client: client.id, config_path: path, server_name: name };
  if (next === text && found.state === "file")
    return { ...result, action: "already_exists", message: `${client.name} is already connected` };
  const bytes = Buffer.from(next, "utf8");
  const copy = found.state === "file" ? await backUp(path, found, app.clock.now()) : undefined;
  const wrote: Write = {
    client: client.id,
    path,
    name,
    backup: copy === undefined ? "" : basename(copy),
    hash: hash("sha256", bytes, "hex"),
    ...(made && { token: made.name }),
  };
  // Recorded before the write, so that an undo works even after a crash directly after it.
  await addWrite(app, wrote);
  try {
    if (!(await replaceFile(path, found, bytes, app.boot.machine))) throw stale(plan);
  } catch (error) {
    await dropWrite(app, wrote);
    throw error;
  }
  await verified(app, plan, next);
  const action = existing ? "updated" : "created";
  recordClientChange(app, by, "client_connect", { client: client.id, path, name, action });
  return {
    ...result,
    action,
    ...(copy !== undefined && { backup_path: copy }),
    message: `${client.name} is connected as "${name}"${made ? ` with the agent token ${made.name}` : ""}; if it is running, restart it${plan.signsIn ? ", and sign in when it opens the browser" : ""}`,
  };
}

/** Logs a warning if another program changed the file directly after the write. */
async function verified(app: App, { path, client, name }: ConnectPlan, next: string): Promise<void> {
  const now = await look(path, app.boot.machine);
  if (now.state !== "file" || decode(now.bytes) !== next)
    app.log.warn(`${path} was changed by another program right after ${client.name} was connected as ${name}`);
}

/** Converts a denied file access into a Fault; returns any other error unchanged. */
export function deniedOr(error: unknown, path: string, app: App): unknown {
  if (!isDenied(error)) return error;
  return new Fault("connect_denied", { path, remediation: remedyFor(path, app.boot.machine) }, { cause: error });
}

/**
 * Records a change of a client's configuration file.
 *
 * @param facts what was changed; its `action` is recorded as the outcome
 */
export function recordClientChange(app: App, by: Actor, action: string, facts: Readonly<Record<string, string>>): void {
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { ...facts, action, outcome: facts.action },
  });
}
