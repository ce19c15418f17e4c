import { existsSync } from "node:fs";
import type { Api } from "#handlers/routes.gen.ts";
import type { Call } from "#lib/client/client.ts";
import { docsCommand, docsPath } from "#lib/core/base/docs-path.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { configPath } from "#lib/core/config/paths.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { caller } from "../daemon.ts";
import { EXIT } from "../exit.ts";
import { commandsAs } from "../self.ts";
import { spinner } from "../spinner.ts";

export default command({
  meta: {
    group: "watch",
    description: "Find problems and show how to fix them",
    detail: `Without a running proxy, the command itself runs the checks that need none.
Exit codes: 0 no problems (info findings do not count); 1 problems found.`,
    examples: ["proxy doctor", "proxy doctor --server git -o json", "proxy doctor --public https://proxy.example.com"],
  },
  args: {
    server: {
      type: "string",
      alias: "s",
      names: "servers",
      valueHint: "name",
      description: "only findings about this server",
    },
    public: {
      type: "string",
      valueHint: "url",
      description: "check a published proxy as clients on the internet see it, instead of this one",
    },
  },
  async run({ cli, args: { server, public: published } }) {
    const all = published === undefined ? await look(cli) : await lookFromOutside(cli, published);
    const findings = server === undefined ? all : all.filter((finding) => finding.server === server);
    const issues = findings.filter(({ severity }) => severity !== "info").length;
    const result = { healthy: issues === 0, total_issues: issues, findings };
    const texts = () => findings.map((finding) => text(finding, cli.self)).join("\n\n");
    await cli.show(result, () => (findings.length > 0 ? texts() : "no problems found"));
    return issues === 0 ? EXIT.ok : EXIT.failed;
  },
});

type Finding = Awaited<ReturnType<typeof ask>>["findings"][number];

const ask = (call: Call<Api>) => call("GET /api/v1/doctor", {});

async function look(cli: Cli): Promise<Finding[]> {
  try {
    return (await ask(cli.call)).findings;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "daemon_not_running" || cli.globals.url || cli.env.SERVICE_URL)
      throw error;
    return [NOT_RUNNING, ...(await withoutDaemon(cli))];
  }
}

async function lookFromOutside(cli: Cli, text: string): Promise<Finding[]> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Fault("invalid_request", { reason: `--public: must be a URL such as https://proxy.example.com` });
  const [{ createEgress }, { checkPublic }] = await Promise.all([
    import("#lib/core/base/egress/create-egress.ts"),
    import("#lib/modules/authorization-server/check-public.ts"),
  ]);
  const egress = createEgress({ agent: "proxy-cli", allowed: () => [], env: cli.env });
  return checkPublic(egress, url, cli.signal);
}

const NOT_RUNNING: Finding = {
  code: "not_running",
  severity: "warning",
  title: "No proxy is running here",
  docs: docsPath("troubleshooting", "not_running"),
  remedy: { action: "Start it", command: "proxy serve" },
};

/** Without a running proxy, reports what prevents its start. */
async function withoutDaemon(cli: Cli): Promise<Finding[]> {
  const { config, dataDir } = cli.globals;
  // A check creates no files: without a configuration there is nothing to check.
  if (!existsSync(configPath({ path: config, dataDir, env: cli.env }))) return [];
  const { standalone } = await import("../standalone.ts");
  const progress = spinner(cli.stderr);
  try {
    const wants = { tools: false };
    const { findings } = await standalone(cli, wants, progress, (send) => ask(caller(send, cli.signal)));
    return findings;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const docs = docsPath("errors", error.code);
    return [{ code: error.code, severity: "error", title: "The proxy cannot start", detail: error.message, docs }];
  } finally {
    progress.stop();
  }
}

/** Renders commands with the current program name and flags, so that they apply to the same proxy. */
function text({ severity, title, detail, remedy, docs }: Finding, self: string): string {
  const here = (line: string) => commandsAs(self, line);
  return [
    `${severity}: ${title}`,
    ...(detail === undefined ? [] : [`  ${here(detail)}`]),
    ...(remedy ? [`  ${remedy.action}${remedy.command === undefined ? "" : `: ${here(remedy.command)}`}`] : []),
    ...(docs === undefined ? [] : [here(`  More: ${docsCommand(docs)}`)]),
  ].join("\n");
}
