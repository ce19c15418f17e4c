import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { App } from "../../core/app.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { type ConnectResult, deniedOr, recordClientChange } from "./connect.ts";
import { endToken } from "./credential.ts";
import { Fault } from "./faults.ts";
import { backUp, type Found, isBackupName, look, replaceFile } from "./file.ts";
import { checkName, throwDenied } from "./plan.ts";
import { clientFileTurns } from "./state.ts";
import { clientOf, targetOf } from "./target.ts";
import { dropWrite, findWrite, newestWrite } from "./writes.ts";

/** Selects the connect to undo. */
interface UndoWish {
  /** Name of the entry; empty for any name. */
  readonly name: string;
  /** File name of the backup; empty if the connect created the file; absent for the newest connect. */
  readonly backup?: string | undefined;
}

/**
 * Undoes a connect: restores the backup byte for byte, or deletes the file that the connect created (spec 000 §4.5
 * rules 6 and 7). This requires that the file is still as the connect wrote it; a copy of that is kept.
 *
 * @throws Fault no_such_record, undo_changed, connect_denied, invalid_request
 */
export async function undo(app: App, id: string, wish: UndoWish, by: Actor): Promise<ConnectResult> {
  const client = clientOf(id);
  const { name } = wish;
  checkName(name);
  const target = await targetOf(app, client);
  const newest = wish.backup === undefined ? newestWrite(app, { client: id, paths: target.checked, name }) : undefined;
  const backup = wish.backup ?? newest?.backup ?? "";
  // Another of the client's files may exist since the connect.
  const path =
    newest?.path ?? target.checked.find((p) => findWrite(app, { client: id, path: p, name, backup })) ?? target.path;
  if (backup !== "" && !isBackupName(path, backup))
    throw new Fault("invalid_request", {
      reason:
        "backup_name: must be the file name of a backup of this client's configuration, which is the last part of backup_path",
    });
  return app.part(clientFileTurns)(path, async () => {
    const previous = backup === "" ? undefined : await backupOf(app, join(dirname(path), backup), backup);
    const found = await look(path, app.boot.machine);
    throwDenied(path, found);
    const wrote = findWrite(app, { client: client.id, path, name, backup });
    if (!wrote && wish.backup === undefined) throw new Fault("no_such_record", { what: "stored change of client", id });
    if (!wrote || found.state !== "file" || hash("sha256", found.bytes, "hex") !== wrote.hash)
      throw new Fault("undo_changed", { client: client.id, path });
    let copy: string;
    try {
      copy = await backUp(path, found, app.clock.now());
      if (previous === undefined) await rm(path);
      else if (!(await replaceFile(path, found, previous.bytes, app.boot.machine)))
        throw new Fault("undo_changed", { client: client.id, path });
    } catch (error) {
      throw deniedOr(error, path, app);
    }
    await dropWrite(app, wrote);
    if (wrote.token !== undefined) await endToken(app, client.id, wrote.token, by);
    const action = previous === undefined ? "deleted" : "restored";
    recordClientChange(app, by, "client_undo", { client: client.id, path, name: wrote.name, action });
    return {
      client: client.id,
      config_path: path,
      server_name: wrote.name,
      action,
      backup_path: copy,
      message: previous === undefined ? `${path} was deleted` : `${path} is restored`,
    };
  });
}

async function backupOf(app: App, path: string, name: string): Promise<Found & { state: "file" }> {
  const found = await look(path, app.boot.machine);
  throwDenied(path, found);
  if (found.state !== "file") throw new Fault("no_such_record", { what: "backup", id: name });
  return found;
}
