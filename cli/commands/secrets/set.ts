import { askSecret } from "../../ask-secret.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Store a secret, typed without being shown or read from standard input",
    detail: "It goes into the system's keyring, or into an encrypted file where there is none.",
    examples: ["proxy secrets set github-token"],
  },
  args: { name: { type: "positional", description: "letters, digits, dots, dashes or underscores" } },
  async run({ cli, args: { name } }) {
    const value = await askSecret(`value of ${name}`, cli);
    if (value === "") throw new UsageError("the secret is empty; nothing was stored");
    const stored = await cli.call("POST /api/v1/secrets", { body: { name, value } });
    await cli.show(stored, ({ message }) => message);
    if (stored.backend === "file")
      cli.note("There is no keyring to use; it is in an encrypted file in the data directory. See: proxy doctor");
  },
});
