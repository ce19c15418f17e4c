import { command } from "../../command.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { RELEASE_ARGS, releaseServer } from "../../release-server.ts";

export default command({
  meta: {
    description: "Release servers from quarantine, with the tools that are shown",
    detail:
      "Shows what each server runs and its waiting tools, asks, and approves exactly these tools. A tool with a finding of high or critical severity stays pending unless --accept-risk names it. `proxy review` goes through the tools one by one.",
    examples: ["proxy upstream unquarantine git", "proxy upstream unquarantine git --accept-risk run_hook"],
  },
  args: { names: { type: "positional", description: "server names", many: true }, ...RELEASE_ARGS },
  async run({ cli, args }) {
    const { names, "accept-risk": acceptRisk, "accept-instructions": acceptInstructions = false, yes = false } = args;
    if (names.length === 0) throw new UsageError("name at least one server");
    if (names.length > 1 && (acceptRisk.length > 0 || acceptInstructions))
      throw new UsageError(
        "--accept-risk and --accept-instructions are about one server; release one server at a time",
      );
    let declined = false;
    for (const name of names) {
      const done = await releaseServer(cli, name, { acceptRisk, acceptInstructions, yes }, (body) =>
        cli.call("POST /api/v1/servers/{name}/unquarantine", { params: { name }, body }),
      );
      if (done) await cli.show(done, ({ message }) => message);
      else declined = true;
    }
    if (declined) cli.note("not released");
    return declined ? EXIT.failed : EXIT.ok;
  },
});
