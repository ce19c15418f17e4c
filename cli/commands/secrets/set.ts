import { askSecret } from "../../ask-secret.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Store a secret from hidden input or standard input",
    detail: "Stores the secret in the system keyring, or in an encrypted file if there is no keyring.",
    examples: ["proxy secrets set github-token"],
  },
  args: { name: { type: "positional", description: "letters, digits, dots, dashes or underscores" } },
  async run({ cli, args: { name } }) {
    const value = await askSecret(`value of ${name}`, cli);
    if (value === "") throw new UsageError("the secret is empty; nothing was stored");
    const stored = await cli.call("POST /api/v1/secrets", { body: { name, value } });
    await cli.show(stored, ({ message }) => message);
    if (stored.backend === "file")
      cli.note(
        "No keyring is available; the secret is stored in an encrypted file in the data directory. See: proxy doctor",
      );
  },
});
