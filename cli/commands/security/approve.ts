import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { RELEASE_ARGS, releaseServer } from "../../release-server.ts";

export default command({
  meta: {
    description: "Release a server from quarantine after its scan and approve what the command shows",
    detail:
      "Fails if there is no scan, the last scan found something dangerous, or the server changed since; --force overrides this. Entries with a finding of high or critical severity stay pending unless --accept-risk names them, even with --force.",
  },
  args: {
    server: { type: "positional", names: "servers", description: "server name" },
    force: { type: "boolean", description: "release without a current scan free of dangerous findings" },
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
