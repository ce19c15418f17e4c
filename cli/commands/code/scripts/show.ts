import { command } from "../../../command.ts";

export default command({
  meta: {
    description: "Show one stored script as the proxy would run it",
    detail: "Text that looks like a secret is masked, and a note reports it.",
    examples: ["proxy code scripts show report", "proxy code scripts show report -o json"],
  },
  args: { name: { type: "positional", required: true, description: "name from `proxy code scripts list`" } },
  async run({ cli, args: { name } }) {
    const script = await cli.call("GET /api/v1/code/scripts/{name}", { params: { name } });
    if (script.masked) cli.note("text that looks like a secret is masked here; the file is unchanged");
    await cli.show(script, ({ source }) => source.trimEnd());
  },
});
