import { command } from "../../../command.ts";

export default command({
  meta: {
    description: "Show one stored script as the proxy would run it",
    detail: "What looks like a secret is masked, and it is said when something is.",
    examples: ["proxy code scripts show report", "proxy code scripts show report -o json"],
  },
  args: { name: { type: "positional", required: true, description: "as `code scripts list` names it" } },
  async run({ cli, args: { name } }) {
    const script = await cli.call("GET /api/v1/code/scripts/{name}", { params: { name } });
    if (script.masked) cli.note("something in it looks like a secret and is masked here; the file itself is unchanged");
    await cli.show(script, ({ source }) => source.trimEnd());
  },
});
