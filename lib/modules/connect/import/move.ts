import { hash } from "node:crypto";
import { basename } from "node:path";
import type { App } from "../../../core/app.ts";
import { plural } from "../../../core/base/plural.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import { type ConnectResult, deniedOr, recordClientChange } from "../connect.ts";
import { Malformed } from "../document.ts";
import { remove } from "../edit.ts";
import { Fault } from "../faults.ts";
import { backUp, type Found, look, mayWrite, remedyFor, replaceFile } from "../file.ts";
import { brokenFileFault, contentOf, throwDenied } from "../plan.ts";
import { clientFileTurns } from "../state.ts";
import { clientOf, targetOf } from "../target.ts";
import { addWrite, dropWrite } from "../writes.ts";
import { findServers } from "./find.ts";
import { self } from "./import.ts";
import { plan, sameAs } from "./plan.ts";

interface MoveWish {
  /** Names of the entries that may be removed, as in the client's file. */
  readonly names: readonly string[];
  /** Report what would be done, as if the import had happened, without a change. */
  readonly preview: boolean;
}

type MoveResult = Pick<ConnectResult, "client" | "config_path" | "backup_path" | "message"> & {
  preview: boolean;
  /** Names of the removed entries, as in the client's file. */
  removed: string[];
};

/**
 * Removes the entries whose servers the proxy has from a client's configuration, so that the client reaches them only
 * through the proxy. The file is backed up first, and `undo` restores it byte for byte. Entries of single projects
 * remain.
 *
 * @throws Fault no_such_record, connect_refused, connect_conflict, connect_denied, invalid_request
 */
export async function moveOut(app: App, id: string, { names, preview }: MoveWish, by: Actor): Promise<MoveResult> {
  const client = clientOf(id);
  const { path } = await targetOf(app, client);
  return app.part(clientFileTurns)(path, async () => {
    const found = await look(path, app.boot.machine);
    throwDenied(path, found);
    const { text, trouble } = contentOf(client, found);
    if (trouble) throw trouble;
    const removed = found.state === "file" ? movable() : [];
    const next = removed.reduce(without, text);
    const report = { client: client.id, config_path: path, preview, removed };
    if (removed.length === 0 || found.state !== "file")
      return { ...report, message: `${client.name} has no entries of servers that the proxy manages` };
    const entries = plural(removed.length, "entry", "entries");
    if (preview) return { ...report, message: `${entries} would be removed from ${path}` };
    const backup_path = await write(found, next);
    recordClientChange(app, by, "client_move", {
      client: client.id,
      path,
      entries: removed.join(", "),
      action: "removed",
    });
    return { ...report, backup_path, message: `${entries} removed from ${path}; restart ${client.name} if it runs` };

    function movable(): string[] {
      const entries = findServers(text, client.id).entries.filter(
        ({ name, project }) => !project && names.includes(name),
      );
      const configured = app.config.current().mcpServers;
      const imported = preview ? plan(entries, configured, { names }, self(app)).add : [];
      return entries
        .filter(({ name, reach }) => sameAs(reach, configured) || imported.some((one) => one.originalName === name))
        .map(({ name }) => name);
    }

    function without(from: string, name: string): string {
      try {
        return remove(client, from, name);
      } catch (error) {
        throw error instanceof Malformed ? brokenFileFault(client, error) : error;
      }
    }

    async function write(file: Found & { state: "file" }, content: string): Promise<string> {
      if (!(await mayWrite(path, file)))
        throw new Fault("connect_denied", { path, remediation: remedyFor(path, app.boot.machine) });
      const bytes = Buffer.from(content, "utf8");
      try {
        const copy = await backUp(path, file, app.clock.now());
        const wrote = { client: client.id, path, name: "", backup: basename(copy), hash: hash("sha256", bytes, "hex") };
        // Recorded before the write, so that an undo works even after a crash directly after it.
        await addWrite(app, wrote);
        if (await replaceFile(path, file, bytes, app.boot.machine)) return copy;
        await dropWrite(app, wrote);
      } catch (error) {
        throw deniedOr(error, path, app);
      }
      throw new Fault("connect_conflict", {
        action: "precondition_failed",
        reason: `the configuration of ${client.name} was changed at the same time; try again`,
        client: client.id,
        path,
        server_name: "",
      });
    }
  });
}
