import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Send a test message through a notification channel",
    examples: ["proxy notifications test ops"],
  },
  args: { name: { type: "positional", description: "name of the channel" } },
  async run({ cli, args: { name } }) {
    const done = await cli.call("POST /api/v1/notifications/{name}/test", { params: { name } });
    await cli.show(done, () => `a test message was sent through ${name}`);
  },
});
