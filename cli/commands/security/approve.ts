import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { RELEASE_ARGS, releaseServer } from "../../release-server.ts";

export default command({
  meta: {
    description: "Release a server from quarantine after its scan, with the tools that are shown",
    detail:
      "Refused where the last scan is missing, found something dangerous, or is older than the server's present state; --force overrides that. A tool with a finding of high or critical severity stays pending unless --accept-risk names it, with --force too.",
  },
  args: {
    server: { type: "positional", description: "its name" },
    force: { type: "boolean", description: "also without a scan that is current and not dangerous" },
    ...RELEASE_ARGS,
  },
  async run({
    cli,
    args: {
      server: name,
      force = false,
      "accept-risk": acceptRisk,
      "accept-instructions": acceptInstructions = false,
      yes = false,
    },
  }) {
    const done = await releaseServer(cli, name, { acceptRisk, acceptInstructions, yes }, (body) =>
      cli.call("POST /api/v1/servers/{name}/security/approve", { params: { name }, body: { force, ...body } }),
    );
    if (!done) {
      cli.note("not approved");
      return EXIT.failed;
    }
    await cli.show(done, ({ server_name }) => `approved ${server_name}`);
    return EXIT.ok;
  },
});
