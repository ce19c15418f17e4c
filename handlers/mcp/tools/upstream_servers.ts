import * as v from "valibot";
import { NewServer, ServerPatch } from "#lib/core/config/server-patch.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { isManagementOffered, manage, OPERATIONS } from "#lib/modules/manage/manage.ts";

const text = (description: string) => v.nullish(v.pipe(v.string(), v.description(description)));
const flag = (description: string) => v.nullish(v.pipe(v.boolean(), v.description(description)));

export default tool("upstream_servers", {
  title: "Manage servers",
  description:
    "Lists, adds, changes and removes the MCP servers behind this endpoint, and shows their logs. A new server, and one whose command, address, environment, headers or sign-in changes, is held: it is not started until an administrator has confirmed it outside of MCP, and then quarantined until it is released. In update and patch fields left out stay as they are, maps and objects merge, lists are replaced, JSON null removes.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  offered: isManagementOffered,
  // Every field of an entry by its own name, beside the text forms that any client can send.
  // `skip_quarantine` is another system's word, which has no effect over MCP.
  alsoTakes: [...Object.keys(NewServer.entries), ...Object.keys(ServerPatch.entries), "skip_quarantine"],
  input: v.looseObject({
    operation: v.picklist(OPERATIONS),
    name: text("the server; needed by every operation but list and add_from_registry"),
    registry: text("add_from_registry: where it is, such as official"),
    id: text("add_from_registry: what it is called there, as search_servers says"),
    command: text("program to start, for a local server; with a url one that listens there"),
    args_json: text('its arguments as a JSON list, such as ["-y", "some-server"]'),
    env_json: text("environment variables as a JSON object"),
    working_dir: text("folder it starts in"),
    url: text("address, for a remote server"),
    headers_json: text("HTTP headers as a JSON object"),
    protocol: text("stdio, http, sse, streamable-http or auto"),
    enabled: flag("whether it is connected to, once it is not held"),
    quarantined: flag("true holds its tools back"),
    isolation_json: text("container settings as a JSON object"),
    oauth_json: text("sign-in settings as a JSON object"),
    reconnect_on_use: flag("a call to the disconnected server tries one connection first"),
    init_timeout: text("such as 30s"),
    launcher_wait_timeout: text("such as 30s: how long a program with a url has to listen there"),
    call_tool_timeout: text("such as 2m"),
    lines: v.optional(v.pipe(v.unknown(), v.description("tail_log: how many lines, 50 unless said, up to 500"))),
  }),
  run: ({ app, caller, origin, input, signal }) => manage(app, { caller, origin }, input.operation, input, signal),
});
