import { UsageError } from "../../exit.ts";
import { RISK_ARG } from "../../release-server.ts";
import { toolVerb } from "../../tool-verb.ts";
import { pinsOf, stillWaitingText, toolLines, waitingTools } from "../../waiting-tools.ts";

export default toolVerb({
  meta: {
    description: "Approve new or changed tools",
    detail:
      "An approval covers the current definition of a tool. Show changes with `proxy tools diff`. A tool with a finding of high or critical severity stays pending unless --accept-risk names it.",
    examples: [
      "proxy tools approve git:log git:diff",
      "proxy tools approve git --all",
      "proxy tools approve git:hook --accept-risk hook",
    ],
  },
  args: RISK_ARG,
  async decide(
    cli,
    name,
    tools,
    { "accept-risk": accept_findings, "accept-instructions": accept_instructions = false },
  ) {
    const reviewed = tools === "all" ? await waitingTools(cli, name) : undefined;
    const unknown = accept_findings.find((tool) => reviewed && !reviewed.some((t) => t.name === tool));
    if (unknown !== undefined)
      throw new UsageError(`--accept-risk ${unknown}: no pending tool of "${name}" has this name`);
    if (reviewed && reviewed.length > 0) cli.note(toolLines(reviewed));
    const done = await cli.call("POST /api/v1/servers/{name}/tools/approve", {
      params: { name },
      body: {
        ...(reviewed ? { approve_all: true, pins: pinsOf(reviewed) } : { tools: tools as string[] }),
        accept_findings,
        accept_instructions,
      },
    });
    if (done.pending) cli.note(stillWaitingText(cli, name, done.pending));
    return done;
  },
});
