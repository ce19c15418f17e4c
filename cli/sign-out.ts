import { reasonOf } from "#lib/core/base/fault.ts";
import type { Cli } from "./cli.ts";
import { EXIT, UsageError } from "./exit.ts";

/** Signs out of the named servers, or of all servers with a sign-in. @returns the exit code */
export async function signOut(cli: Cli, names: readonly string[], all: boolean | undefined): Promise<number> {
  if ((all === true) === names.length > 0) throw new UsageError("name servers or use --all");
  const servers = all ? await signedIn(cli) : names;
  const rows = await Promise.all(
    servers.map((name) =>
      cli.call("POST /api/v1/servers/{name}/logout", { params: { name } }).then(
        ({ message }) => ({ server: name, ok: true, message }),
        (error: unknown) => ({ server: name, ok: false, message: reasonOf(error) }),
      ),
    ),
  );
  await cli.show(rows, () => rows.map(({ message }) => message).join("\n") || "no server is signed in");
  return rows.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}

async function signedIn(cli: Cli): Promise<string[]> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  return servers.filter(({ oauth_status = "none" }) => oauth_status !== "none").map(({ name }) => name);
}
