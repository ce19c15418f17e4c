import { command } from "../../command.ts";
import { documentWith, typedValue } from "../../config-key.ts";

export default command({
  meta: {
    description: "Change one key of the configuration",
    detail:
      "The value is read as JSON where it is any, else as text; null takes the key out, and its default counts again.",
    examples: [
      "proxy config set tool_response_mode compact",
      "proxy config set logging.level debug",
      `proxy config set trusted_hosts '["proxy.example.com"]'`,
      "proxy config set instructions null",
    ],
  },
  args: {
    key: { type: "positional", description: "such as routing_mode or logging.level" },
    value: { type: "positional", description: "what it is to be" },
    text: { type: "boolean", description: "take the value as text, whatever it looks like" },
    force: { type: "boolean", description: "keep a key that the proxy does not know" },
  },
  async run({ cli, args: { key, value, text, force } }) {
    const body = documentWith(key, text ? value : typedValue(value));
    const done = await cli.call("PATCH /api/v1/config", { query: { allow_unknown: force ? "true" : "false" }, body });
    await cli.show(done, ({ message }) => message);
    if (done.overridden_fields.length > 0)
      cli.note("the environment or the command line of the proxy says otherwise, and that counts");
    const { unknownKey } = await import("#lib/core/config/unknown.ts");
    for (const { field, message } of done.unknown_fields.map(unknownKey)) cli.note(`${field} ${message}`);
  },
});
