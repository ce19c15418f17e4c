import { realpathSync } from "node:fs";
import { Fault } from "#lib/core/base/fault.ts";
import { runningProxy } from "../background/running.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { UsageError } from "../exit.ts";
import { spinner } from "../spinner.ts";
import { version } from "../version.ts";

export default command({
  meta: {
    group: "program",
    description: "Install a newer release, or go back to the previous one",
    detail: `Reads the release index (update_check.source), verifies the signature of the release's checksums and the checksum of the archive, starts the new program once, and replaces this one. The previous program stays beside it for --rollback. If a package manager installed the proxy, the command names the manager's own command instead.`,
    examples: ["proxy upgrade --check", "proxy upgrade", "proxy upgrade --rollback"],
  },
  args: {
    check: { type: "boolean", description: "only show whether there is a newer release" },
    rollback: { type: "boolean", description: "put the previous program back" },
    to: { type: "string", valueHint: "version", description: "install this version, also an older one (the newest)" },
    source: { type: "string", valueHint: "url", description: "release index: URL or file (update_check.source)" },
  },
  async run({ cli, args }) {
    if (args.rollback) return rollBack(cli);
    const { releaseIndex } = await import("#lib/modules/update/install/release-index.ts");
    const { releaseSettings } = await import("../release-settings.ts");
    const index = await releaseIndex(await releaseSettings(cli, args.source), cli);
    const release = index.choose({ version, to: args.to });
    if (!release) {
      await cli.show({ version, available: false }, () => `${version} is the newest release`);
      return;
    }
    if (args.check) {
      await cli.show({ version, available: true, latest: release.tag, url: release.url }, () =>
        [`${release.tag} is available, this is ${version}`, ...(release.url ? [release.url] : [])].join("\n"),
      );
      return;
    }
    const { program, platform, target } = await ownProgram();
    const progress = spinner(cli.stderr);
    try {
      const { installRelease } = await import("#lib/modules/update/install/install-release.ts");
      const { key, download } = index;
      await installRelease(release, { program, platform, target, key: key(), download, onStep: progress.say });
    } finally {
      progress.stop();
    }
    await cli.show({ version: release.tag, previous: version, program }, () => `upgraded ${version} to ${release.tag}`);
    cli.note(`to go back: ${cli.self} upgrade --rollback`);
    await noteRestart(cli);
  },
});

/** The program that may be replaced. @throws Error with the right command if a package manager is in charge */
async function ownProgram() {
  const { installation, installChannel } = await import("#lib/modules/update/channel.ts");
  const { managedBy } = await import("#lib/modules/update/install/managed-by.ts");
  const at = await installation();
  const program = realpathSync(at.single ? at.execPath : (process.argv[1] ?? at.execPath));
  const manager = managedBy(await installChannel(at), program, at.single);
  if (manager)
    throw new Error(
      `${manager.name} is in charge of ${program}${manager.command === undefined ? "" : `; update it with: ${manager.command}`}`,
    );
  const { platform, arch } = process;
  return { program, platform, target: `${platform === "win32" ? "win" : platform}-${arch}` };
}

async function rollBack(cli: Cli): Promise<void> {
  const { program } = await ownProgram();
  const { rollBackProgram } = await import("#lib/modules/update/install/replace-program.ts");
  const restored = await rollBackProgram(program);
  await cli.show({ version: restored, previous: version, program }, () => `restored version ${restored}`);
  await noteRestart(cli);
}

async function noteRestart(cli: Cli): Promise<void> {
  const running = await runningProxy(cli).catch((error) => {
    if (error instanceof Fault || error instanceof UsageError) return undefined;
    throw error;
  });
  if (running) cli.note(`the running proxy still has version ${running.version}; restart it with: ${cli.self} restart`);
}
