import { command } from "../command.ts";
import { version } from "../version.ts";

export default command({
  meta: {
    group: "run",
    hidden: true,
    description: "Run the demo MCP server on standard input and output",
    detail: "Offers a notebook, a calculator, a clock and a few more tools. `proxy serve --demo` uses this server.",
    examples: ["proxy upstream add demo -- proxy demo-server"],
  },
  async run({ cli }) {
    const { serveDemo } = await import("#lib/modules/demo/server.ts");
    await serveDemo({ input: cli.stdin, output: process.stdout, version });
  },
});
