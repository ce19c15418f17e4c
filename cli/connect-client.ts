import type { Api } from "#handlers/routes.gen.ts";
import type { DataOf } from "#lib/client/client.ts";
import type { Cli } from "./cli.ts";

/**
 * Shows how a client's file would change and adds this proxy to it. If the file changes in between, nothing is written.
 *
 * @param name name of the entry; empty for the usual one
 */
export async function connectClient(
  cli: Cli,
  client: string,
  { name, force }: { name: string; force: boolean },
): Promise<DataOf<Api["POST /api/v1/connect/{client}"]>> {
  const params = { client };
  const preview = await cli.call("GET /api/v1/connect/{client}/preview", { params, query: { server_name: name } });
  if (preview.diff)
    cli.note(
      `Change of the entry "${preview.server_name}" in ${preview.config_path}; the rest of the file stays:\n${preview.diff}`,
    );
  const { precondition_token } = preview;
  // An entry that already has the new content needs no permission.
  const same = preview.entry_exists && preview.diff === "";
  const body = { server_name: name, force: force || same, precondition_token };
  return cli.call("POST /api/v1/connect/{client}", { params, body });
}
