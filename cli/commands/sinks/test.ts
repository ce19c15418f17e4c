import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Deliver a test record to a sink",
    detail: "Waits until the receiver has accepted the record, whose type is sink_test.",
    examples: ["proxy sinks test archive"],
  },
  args: { name: { type: "positional", description: "name of the sink" } },
  async run({ cli, args: { name } }) {
    const done = await cli.call("POST /api/v1/sinks/{name}/test", { params: { name } });
    await cli.show(done, () => `the sink ${name} accepted a test record`);
  },
});
