import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { SERVER_FLAGS, serverFields } from "../../server-fields.ts";

export default command({
  about: "Change an upstream server; what is not said stays",
  words: { name: { about: "server name" } },
  rest: "command args…",
  flags: {
    ...SERVER_FLAGS,
    url: { type: "string", hint: "url", about: "address of a remote server" },
    "header-remove": { type: "list", hint: "name", about: "header to take away" },
    "env-remove": { type: "list", hint: "NAME", about: "environment variable to take away" },
  },
  examples: [
    "proxy upstream patch files --env LOG=debug --env-remove TOKEN",
    "proxy upstream patch files -- node server.js",
  ],
  async run({ cli, words, flags, rest }) {
    const fields = serverFields(flags, rest);
    const headers = { ...fields.headers, ...removals(flags["header-remove"]) };
    const env = { ...fields.env, ...removals(flags["env-remove"]) };
    const body = {
      ...fields,
      ...(flags.url !== undefined && { url: flags.url }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(env).length > 0 && { env }),
    };
    if (Object.keys(body).length === 0) throw new UsageError("say what to change");
    const { name } = words;
    const changed = await cli.call("PATCH /api/v1/servers/{name}", { params: { name }, body });
    await cli.show(changed, () => `changed ${name}: ${Object.keys(body).join(", ")}`);
  },
});

/** JSON Merge Patch: null takes a key away (spec 000 §4.2). */
const removals = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
