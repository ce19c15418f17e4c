import { command } from "../../command.ts";
import { documentWith, typedValue } from "../../config-key.ts";

export default command({
  meta: {
    description: "Change one key of the configuration",
    detail:
      "A value that is valid JSON is read as JSON, any other as text. null removes the key, which restores its default.",
    examples: [
      "proxy config set tool_response_mode compact",
      "proxy config set logging.level debug",
      `proxy config set trusted_hosts '["proxy.example.com"]'`,
      "proxy config set instructions null",
    ],
  },
  args: {
    key: { type: "positional", description: "key, such as routing_mode or logging.level" },
    value: { type: "positional", description: "new value" },
    text: { type: "boolean", description: "treat the value as text even if it is valid JSON" },
    force: { type: "boolean", description: "accept an unknown key" },
  },
  async run({ cli, args: { key, value, text, force } }) {
    const body = documentWith(key, text ? value : typedValue(value));
    const done = await cli.call("PATCH /api/v1/config", { query: { allow_unknown: force ? "true" : "false" }, body });
    await cli.show(done, ({ message }) => message);
    if (done.overridden_fields.length > 0) cli.note("the proxy's environment or command line overrides this setting");
    const { unknownKey } = await import("#lib/read-config.ts");
    for (const { field, message } of done.unknown_fields.map(unknownKey)) cli.note(`${field} ${message}`);
  },
});
