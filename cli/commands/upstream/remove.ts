import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";

export default command({
  about: "Remove an upstream server with what is known about its tools",
  words: { name: { about: "server name" } },
  flags: { "if-exists": { type: "boolean", about: "succeed when there is none of this name" } },
  async run({ cli, words, flags }) {
    const { name } = words;
    try {
      const done = await cli.call("DELETE /api/v1/servers/{name}", { params: { name } });
      await cli.show(done, () => `removed ${name}`);
    } catch (error) {
      if (!flags["if-exists"] || !(error instanceof RestError) || error.status !== 404) throw error;
      cli.note(`there is no server ${name}; nothing was changed`);
    }
  },
});
