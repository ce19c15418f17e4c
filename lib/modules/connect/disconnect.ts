import type { App } from "../../core/app.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { Client } from "./client.ts";
import { type ConnectResult, deniedOr, recordClientChange } from "./connect.ts";
import { endTokensIn } from "./credential.ts";
import { Malformed } from "./document.ts";
import { remove } from "./edit.ts";
import { Fault } from "./faults.ts";
import { backUp, look, mayWrite, remedyFor, replaceFile } from "./file.ts";
import { brokenFileFault, checkName, contentOf, entryNamed, nameIn, throwDenied } from "./plan.ts";
import { clientFileTurns } from "./state.ts";
import { clientOf, targetOf } from "./target.ts";

/** The file that contains the entry. Some clients read several files, and another one may exist since the connect. */
async function pathWith(app: App, client: Client, name: string): Promise<string> {
  const { path, checked } = await targetOf(app, client);
  for (const other of checked) {
    const { document } = contentOf(client, await look(other, app.boot.machine));
    if (entryNamed(client, document, name || nameIn(app, client, document))) return other;
  }
  return path;
}

/**
 * Removes this proxy's entry from a client's configuration and revokes the agent token in it (spec 000 §4.5).
 *
 * @param name name of the entry; empty for the entry that leads to this proxy
 * @throws Fault no_such_record, connect_conflict, connect_refused, connect_denied, invalid_request
 */
export async function disconnect(app: App, id: string, name: string, by: Actor): Promise<ConnectResult> {
  const client = clientOf(id);
  checkName(name);
  const path = await pathWith(app, client, name);
  return app.part(clientFileTurns)(path, async () => {
    const found = await look(path, app.boot.machine);
    throwDenied(path, found);
    const { text, document, trouble } = contentOf(client, found);
    if (trouble) throw trouble;
    const entryName = name || nameIn(app, client, document);
    const raw = entryNamed(client, document, entryName);
    const result = { client: client.id, config_path: path, server_name: entryName };
    if (!raw || found.state !== "file")
      return {
        ...result,
        action: "not_found",
        message: `${client.name} has no entry "${entryName}"; nothing was changed`,
      };
    if (!(await mayWrite(path, found)))
      throw new Fault("connect_denied", { path, remediation: remedyFor(path, app.boot.machine) });
    const next = without();
    let copy: string;
    try {
      copy = await backUp(path, found, app.clock.now());
      if (!(await replaceFile(path, found, Buffer.from(next, "utf8"), app.boot.machine)))
        throw new Fault("connect_conflict", {
          action: "precondition_failed",
          reason: `the configuration of ${client.name} was changed at the same time; try again`,
          client: client.id,
          path,
          server_name: entryName,
        });
    } catch (error) {
      throw deniedOr(error, path, app);
    }
    const ended = await endTokensIn(app, client.id, raw, by);
    recordClientChange(app, by, "client_disconnect", { client: client.id, path, name: entryName, action: "removed" });
    const token = ended.length > 0 ? `; its agent token ${ended.join(", ")} is revoked` : "";
    return { ...result, action: "removed", backup_path: copy, message: `"${entryName}" was removed${token}` };

    function without(): string {
      try {
        return remove(client, text, entryName);
      } catch (error) {
        throw error instanceof Malformed ? brokenFileFault(client, error) : error;
      }
    }
  });
}
