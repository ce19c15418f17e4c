import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The configuration key is `amp.mcpServers`: the dot is part of the key. */
export default {
  id: "amp",
  name: "Amp",
  format: "jsonc",
  paths: (m) =>
    m.env.AMP_SETTINGS_FILE
      ? [m.env.AMP_SETTINGS_FILE]
      : ["settings.json", "settings.jsonc"].map((file) => folders.home(m, ".config", "amp", file)),
  at: () => ["amp.mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
