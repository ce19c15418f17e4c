import { type Client, folders } from "./client.ts";
import { shape } from "./shape.ts";

/** An edition of VS Code, with the servers of its default profile. */
export function vscodeEdition(id: string, name: string, folder: string): Client {
  return {
    id,
    name,
    format: "jsonc",
    paths: (m) => [folders.app(m, folder, "User", "mcp.json")],
    at: () => ["servers"],
    shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
    creates: true,
    signsIn: true,
    note: "for the default profile; other profiles have their own files",
  };
}
