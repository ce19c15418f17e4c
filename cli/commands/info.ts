import { command } from "../command.ts";

export default command({
  meta: { group: "watch", description: "Show version, addresses and process of the running proxy" },
  args: { refresh: { type: "boolean", description: "check for a newer release now" } },
  async run({ cli, args }) {
    const info = await cli.call("GET /api/v1/info", { query: args.refresh ? { refresh: "true" } : {} });
    await cli.show(info, ({ version, listen_addr, endpoints, pid, web_ui_url, update }) =>
      [
        `version   ${version}`,
        `listens   ${listen_addr || "on no address"}`,
        `http      ${endpoints.http || "-"}`,
        `socket    ${endpoints.socket || "-"}`,
        `panel     ${web_ui_url || "-"}`,
        `pid       ${pid}`,
        ...(update || args.refresh ? [`update    ${about(update)}`] : []),
        ...(update?.install_channel !== undefined ? [`installed ${update.install_channel}`] : []),
        ...(update?.update_command !== undefined ? [`          ${update.update_command}`] : []),
      ].join("\n"),
    );
  },
});

interface Update {
  available: boolean;
  latest_version?: string | undefined;
  behind_summary?: string | undefined;
  check_error?: string | undefined;
  release_url?: string | undefined;
}

function about(update: Update | null | undefined): string {
  if (!update) return "the update check is disabled";
  const { available, latest_version: latest, behind_summary: behind, check_error, release_url: url } = update;
  if (check_error !== undefined) return `unknown: ${check_error}`;
  if (!available) return "up to date";
  return [`${latest} is available`, behind && `(${behind})`, url].filter(Boolean).join(" ");
}
