import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Make an earlier configuration the present one",
    detail: "What it replaces stays in the history, so it can be taken back the same way.",
    examples: ["proxy config restore 12"],
  },
  args: { version: { type: "positional", description: "number from `proxy config history`" } },
  async run({ cli, args: { version } }) {
    const done = await cli.call("POST /api/v1/config/history/{version}/restore", { params: { version } });
    await cli.show(done, ({ message }) => message);
  },
});
