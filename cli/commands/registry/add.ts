import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { ASKING_MS } from "../../registry-timeout.ts";

export default command({
  meta: {
    description: "Add a registry by its address or from a local file",
    detail: "The proxy reads it once and adds it if it returns a list of servers.",
    examples: ["proxy registry add https://registry.example.com", "proxy registry add ./servers.json --id ours"],
  },
  ownUrl: "an argument",
  args: {
    address: { type: "positional", description: "https URL or local file" },
    id: { type: "string", valueHint: "id", description: "id of the registry (default: derived from the address)" },
    name: { type: "string", valueHint: "text", description: "display name" },
  },
  async run({ cli, args: { address, id, name } }) {
    // A path is relative to the working directory, not that of the daemon; an absolute path may refer to the daemon's
    // machine.
    const file = !/^[a-z][a-z0-9+.-]*:/i.test(address);
    if (file && !isAbsolute(address) && !existsSync(address))
      throw new UsageError(`file ${address} does not exist; a URL must start with https://`);
    const place = file ? resolve(address) : address;
    const done = await cli.call(
      "POST /api/v1/registries",
      { body: { url: place, ...(id !== undefined && { id }), ...(name !== undefined && { name }) } },
      { timeoutMs: ASKING_MS },
    );
    await cli.show(done, ({ registry }) => `added registry ${registry.id}: ${registry.servers_url}`);
  },
});
