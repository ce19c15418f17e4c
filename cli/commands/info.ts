import { command } from "../command.ts";

export default command({
  meta: { description: "Show version, addresses and process of the running proxy" },
  async run({ cli }) {
    const info = await cli.call("GET /api/v1/info", {});
    await cli.show(info, ({ version, listen_addr, endpoints, pid, web_ui_url }) =>
      [
        `version   ${version}`,
        `listens   ${listen_addr || "on no address"}`,
        `http      ${endpoints.http || "-"}`,
        `socket    ${endpoints.socket || "-"}`,
        `panel     ${web_ui_url || "-"}`,
        `pid       ${pid}`,
      ].join("\n"),
    );
  },
});
