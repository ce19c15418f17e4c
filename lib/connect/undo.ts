import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Actor } from "../shape/caller.ts";
import { type ConnectResult, deniedOr, tell } from "./connect.ts";
import { endToken } from "./credential.ts";
import { backUp, type Found, isBackupName, look, replaceFile } from "./file.ts";
import { checkName, throwDenied } from "./plan.ts";
import { clientOf, targetOf } from "./target.ts";
import { inTurn } from "./turns.ts";
import { dropWrite, findWrite } from "./writes.ts";

/**
 * Takes a connect back: the backup is put in place again byte for byte, or the file that the connect made is deleted
 * (spec 000 §4.5 rules 6 and 7). Only while the file is what the connect wrote; a copy of that is kept.
 *
 * @param name of the entry; empty for the usual one
 * @param backup bare file name of the backup; empty when the connect made the file
 * @throws Fault no_such_record, undo_changed, connect_denied, invalid_request
 */
export async function undo(app: App, id: string, name: string, backup: string, by: Actor): Promise<ConnectResult> {
  const client = clientOf(id);
  checkName(name);
  const target = await targetOf(app, client);
  // Another file of the client may have come since the connect.
  const path = target.checked.find((p) => findWrite(app, { client: id, path: p, name, backup })) ?? target.path;
  if (backup !== "" && !isBackupName(path, backup))
    throw new Fault("invalid_request", {
      reason: "backup_name: must be the bare name of a backup of this client's configuration, as backup_path ends",
    });
  return inTurn(path, async () => {
    const old = backup === "" ? undefined : await backupOf(app, join(dirname(path), backup), backup);
    const found = await look(path, app.boot.machine);
    throwDenied(path, found);
    const wrote = findWrite(app, { client: client.id, path, name, backup });
    if (!wrote || found.state !== "file" || hash("sha256", found.bytes, "hex") !== wrote.hash)
      throw new Fault("undo_changed", { path });
    let copy: string;
    try {
      copy = await backUp(path, found, app.clock.now());
      if (old === undefined) await rm(path);
      else if (!(await replaceFile(path, found, old.bytes, app.boot.machine)))
        throw new Fault("undo_changed", { path });
    } catch (error) {
      throw deniedOr(error, path, app);
    }
    await dropWrite(app, wrote);
    if (wrote.token !== undefined) await endToken(app, client.id, wrote.token, by);
    const action = old === undefined ? "deleted" : "restored";
    tell(app, by, "client_undo", { client: client.id, path, name: wrote.name, action });
    return {
      client: client.id,
      config_path: path,
      server_name: wrote.name,
      action,
      backup_path: copy,
      message: old === undefined ? `${path} was deleted` : `${path} is as it was before`,
    };
  });
}

async function backupOf(app: App, path: string, name: string): Promise<Found & { state: "file" }> {
  const found = await look(path, app.boot.machine);
  throwDenied(path, found);
  if (found.state !== "file") throw new Fault("no_such_record", { what: "backup", id: name });
  return found;
}
