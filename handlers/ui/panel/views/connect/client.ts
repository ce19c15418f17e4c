import { call, type Data, Refused, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import type { Tone } from "../../parts/badge.tsx";
import { toast } from "../../parts/toast.tsx";

export type ClientState = Data<"GET /api/v1/connect/{client}">;
export type Result = Data<"POST /api/v1/connect/{client}">;
export type Preview = Data<"GET /api/v1/connect/{client}/preview">;

/** The state of a client in one or two words. */
export function stateOf(client: ClientState): { tone: Tone; text: string } {
  const { access_state: access, connected, endpoint_match: leads, exists } = client;
  if (access === "denied") return { tone: "bad", text: "No access" };
  if (access === "malformed") return { tone: "bad", text: "Unreadable" };
  if (connected && leads === "this") return { tone: "ok", text: "Connected" };
  if (connected) return { tone: "warn", text: "Other endpoint" };
  if (access === "unknown" && exists) return { tone: "info", text: "Found" };
  return { tone: "off", text: access === "accessible" ? "Not connected" : "Not found" };
}

/** Loads everything about a client again. */
export async function look(client: string): Promise<void> {
  await fresh("GET /api/v1/connect/{client}", { params: { client } });
}

/** The file name of a path of any operating system. */
const fileOf = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/**
 * Writes the previewed entry. If the file changed in the meantime, nothing is written.
 *
 * @returns the result; `stale` if a new preview is needed; undefined if it was rejected, which was reported to the user
 */
export async function connect(preview: Preview): Promise<Result | "stale" | undefined> {
  const { client, server_name, entry_exists: force, precondition_token } = preview;
  try {
    return await call("POST /api/v1/connect/{client}", {
      params: { client },
      body: { server_name, force, precondition_token },
    });
  } catch (error) {
    if (error instanceof Refused && error.code === "connect_conflict") return "stale";
    toast(reasonOf(error), { tone: "bad" });
    return undefined;
  }
}

/** Restores the file from before a connect or a move. @throws Refused, Away */
export async function undo(result: Pick<Result, "client" | "backup_path"> & { server_name?: string }): Promise<void> {
  const { client, server_name = "", backup_path } = result;
  const done = await call("POST /api/v1/connect/{client}/undo", {
    params: { client },
    body: { server_name, backup_name: backup_path === undefined ? "" : fileOf(backup_path) },
  });
  toast(done.message);
  await look(client);
}
