import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Release a server from quarantine after its scan, with its pending tools",
    detail: "Refused where the scan found something dangerous or is older than what the server is now, unless forced.",
  },
  args: {
    server: { type: "positional", description: "its name" },
    force: { type: "boolean", description: "whatever the scan says" },
  },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/servers/{name}/security/approve", {
      params: { name: args.server },
      body: { force: args.force === true },
    });
    await cli.show(done, ({ server_name }) => `approved ${server_name}`);
  },
});
