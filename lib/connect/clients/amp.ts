import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The dot is a part of the key. */
export const amp: Client = {
  id: "amp",
  name: "Amp",
  format: "jsonc",
  paths: (m) => [folders.home(m, ".config", "amp", "settings.json")],
  at: () => ["amp.mcpServers"],
  shape: shape(),
  creates: true,
};
