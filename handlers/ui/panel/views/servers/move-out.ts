import { call, type Data, reasonOf } from "../../api.ts";
import { toast } from "../../parts/toast.tsx";
import { undo } from "../connect/client.ts";
import type { Preview } from "./import-preview.tsx";

type ClientFile = Data<"GET /api/v1/servers/import/paths">["paths"][number];

/** The entries of a client whose servers the proxy has after this import, by their names in the client. */
const takenOver = ({ imported, skipped }: Preview): string[] => [
  ...imported.map((server) => server.original_name),
  ...skipped.filter(({ reason }) => reason === "already_exists" || reason === "duplicate").map(({ name }) => name),
];

/** The entries that can be removed from the client's file; none if the file cannot be changed. */
export async function movable({ format: client }: ClientFile, preview: Preview): Promise<readonly string[]> {
  const server_names = takenOver(preview);
  if (server_names.length === 0) return [];
  const params = { client };
  return call("POST /api/v1/connect/{client}/move", { params, body: { server_names, preview: true } }).then(
    ({ removed }) => removed,
    () => [],
  );
}

/** Removes these entries from the client's file if the proxy has their servers, reports it, and offers undo. */
export async function moveOut({ format: client, name }: ClientFile, entries: readonly string[]): Promise<void> {
  try {
    const moved = await call("POST /api/v1/connect/{client}/move", {
      params: { client },
      body: { server_names: [...entries] },
    });
    toast(`${moved.message}. Connect ${name} to the proxy next.`, { label: "Undo", run: () => undo(moved) });
  } catch (error) {
    toast(`The entries stay in the file of ${name}: ${reasonOf(error)}`, { tone: "bad" });
  }
}
