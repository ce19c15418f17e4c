import { useState } from "preact/hooks";
import { type Args, call, type Data, type Route, reasonOf } from "../../api.ts";
import { fresh, refresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, href } from "../../route.ts";
import { login } from "../../server-actions.ts";
import { confirmHeld } from "../../trust/confirm-start.tsx";
import { approveWaiting, isReleasable, release } from "../../trust/release.tsx";
import { MigrateSecrets } from "../secrets/migrate.tsx";
import { SetSecret } from "../secrets/set.tsx";

export type Finding = Data<"GET /api/v1/doctor">["findings"][number];

/** Runs the doctor again. */
export const check = () => fresh("GET /api/v1/doctor", {});

/**
 * The button that carries out a finding's remedy; remedies that need a person are shown elsewhere as commands to copy.
 */
export function Remedy({ finding }: { finding: Finding }) {
  const { remedy, server = "" } = finding;
  const { data } = useLive("GET /api/v1/servers", {});
  const [dialog, setDialog] = useState(false);
  if (!remedy) return null;
  const { action, route, command = "" } = remedy;
  const record = data?.servers.find((s) => s.name === server);
  const then = (run: () => Promise<unknown>) => (
    <Button small onClick={() => run().then(check)}>
      {action}
    </Button>
  );
  const link = (path: string) => (
    <a class="button small" href={href(path)}>
      {action}
    </a>
  );
  const opened = (window: "migrate" | "set", name?: string) => (
    <>
      <Button small onClick={() => setDialog(true)}>
        {action}
      </Button>
      {dialog &&
        (window === "migrate" ? (
          <MigrateSecrets server={server || undefined} onClose={() => void close()} />
        ) : (
          <SetSecret name={name} onClose={() => void close()} />
        ))}
    </>
  );
  const close = async () => {
    setDialog(false);
    await check();
  };
  const missing = /^proxy secrets set ([\w.-]+)$/.exec(command)?.[1];
  if (missing !== undefined) return opened("set", missing);
  if (command.startsWith("proxy security report ")) return link(at("security", "servers", server));
  if (route === undefined && command.startsWith("proxy review "))
    return link(`/approvals?server=${encodeURIComponent(server)}`);
  if (command.startsWith("proxy upstream patch ")) return link(at("servers", server, "settings"));
  switch (route) {
    case undefined:
      return null;
    case "GET /api/v1/servers/{name}/logs":
      return link(at("servers", server, "log"));
    case "POST /api/v1/secrets/migrate":
      return opened("migrate");
    case "POST /api/v1/servers/{name}/unquarantine":
      return record && isReleasable(record) ? then(() => release(record)) : null;
    case "POST /api/v1/servers/{name}/confirm":
      return record?.held ? then(() => confirmHeld(record)) : null;
    case "POST /api/v1/servers/{name}/login":
      return record ? then(() => login(record)) : null;
    case "POST /api/v1/servers/{name}/tools/approve":
      return (
        <>
          <a class="button small" href={href(`/approvals?server=${encodeURIComponent(server)}`)}>
            Review
          </a>
          {record && then(() => approveWaiting(record))}
        </>
      );
    default:
      return then(() => doIt(finding));
  }
}

/** Sends the finding's request to the route that it names. */
async function doIt({ remedy }: Finding): Promise<void> {
  const { route, params, body, action = "" } = remedy ?? {};
  try {
    // The cast is safe: a finding contains a route with its declared arguments.
    const args = { ...(params && { params }), ...(body && { body }) } as Args<Route>;
    await call(route as Route, args);
    toast(`Done: ${action}`);
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
  refresh(/servers|status|config|tools/);
  await check();
}
