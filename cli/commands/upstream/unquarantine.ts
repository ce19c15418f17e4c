import { command } from "../../command.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { RELEASE_ARGS, releaseServer } from "../../release-server.ts";

export default command({
  meta: {
    description: "Release servers from quarantine and approve what the command shows",
    detail:
      "Shows the command of each server and its pending tools, prompts and resources, asks for confirmation, and approves exactly these. Entries with a finding of high or critical severity stay pending unless --accept-risk names them. Use `proxy review` to decide one by one.",
    examples: ["proxy upstream unquarantine git", "proxy upstream unquarantine git --accept-risk run_hook"],
  },
  args: { names: { type: "positional", names: "servers", description: "server names", many: true }, ...RELEASE_ARGS },
  async run({ cli, args }) {
    const { names, "accept-risk": acceptRisk, "accept-instructions": acceptInstructions = false, yes = false } = args;
    if (names.length === 0) throw new UsageError("name at least one server");
    if (names.length > 1 && (acceptRisk.length > 0 || acceptInstructions))
      throw new UsageError("--accept-risk and --accept-instructions apply to one server; release one server at a time");
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
