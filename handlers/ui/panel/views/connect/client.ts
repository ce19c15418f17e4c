import { call, type Data, Refused, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import type { Tone } from "../../parts/badge.tsx";
import { toast } from "../../parts/toast.tsx";

export type ClientState = Data<"GET /api/v1/connect/{client}">;
export type Result = Data<"POST /api/v1/connect/{client}">;
export type Preview = Data<"GET /api/v1/connect/{client}/preview">;

/** How a client stands to this proxy, in a word or two. */
export function stateOf(client: ClientState): { tone: Tone; text: string } {
  const { access_state: access, connected, endpoint_match: leads, exists } = client;
  if (access === "denied") return { tone: "bad", text: "No access" };
  if (access === "malformed") return { tone: "bad", text: "Unreadable" };
  if (connected && leads === "this") return { tone: "ok", text: "Connected" };
  if (connected) return { tone: "warn", text: "Other endpoint" };
  if (access === "unknown" && exists) return { tone: "info", text: "Found" };
  return { tone: "off", text: access === "accessible" ? "Not connected" : "Not found" };
}

/** Asks anew for everything that is shown of a client. */
export async function look(client: string): Promise<void> {
  await fresh("GET /api/v1/connect/{client}", { params: { client } });
}

/** The last part of a path, of whatever system the proxy runs on. */
const fileOf = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/**
 * Writes the entry that was looked at. When the file is another one by now, nothing is written.
 *
 * @returns what became of it; `stale` when a new preview has to be looked at; undefined when it was refused, which was told
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

/** Puts the file back as it was before a connect or a move. @throws Refused, Away */
export async function undo(result: Pick<Result, "client" | "backup_path"> & { server_name?: string }): Promise<void> {
  const { client, server_name = "", backup_path } = result;
  const done = await call("POST /api/v1/connect/{client}/undo", {
    params: { client },
    body: { server_name, backup_name: backup_path === undefined ? "" : fileOf(backup_path) },
  });
  toast(done.message);
  await look(client);
}
