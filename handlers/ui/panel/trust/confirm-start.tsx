import { call, Refused, reasonOf } from "../api.ts";
import { fresh, refresh } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { ask, Dialog } from "../parts/dialog.tsx";
import type { Server } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { toast } from "../parts/toast.tsx";
import { Launch } from "./launch.tsx";

/**
 * Shows what a held server would run or contact, and confirms it if the user agrees. The server then connects for
 * review and remains quarantined. The proxy rejects the confirmation if the definition changed in the meantime.
 */
export async function confirmHeld(server: Server): Promise<void> {
  const { name, revision } = server;
  const yes = await ask<true>((answer) => <Held server={server} answer={answer} />);
  if (!yes) return;
  try {
    await call("POST /api/v1/servers/{name}/confirm", { params: { name }, body: { revision } });
    toast(`${name} is confirmed; it connects and stays in quarantine until you release it`);
  } catch (error) {
    const changed = error instanceof Refused && error.status === 409;
    toast(changed ? `${name} changed after you opened the dialog; review it again` : reasonOf(error), { tone: "bad" });
  }
  refresh(/servers|status|tools|doctor/);
  await fresh("GET /api/v1/servers", {});
}

const isNotEmpty = (values: Record<string, string> | undefined) => Object.keys(values ?? {}).length > 0;

function Held({ server, answer }: { server: Server; answer(yes?: true): void }) {
  const program = server.command !== undefined && server.url === undefined;
  return (
    <Dialog
      title={program ? `Start ${server.name}?` : `Connect to ${server.name}?`}
      size="wide"
      onClose={() => answer()}
      actions={
        <>
          <Button kind="main" onClick={() => answer()}>
            Keep held
          </Button>
          <Button kind="bad" onClick={() => answer(true)}>
            {program ? "Start this command" : "Connect to this URL"}
          </Button>
        </>
      }
    >
      <div class="notice warn">
        <Icon name="warn" />
        <p class="grow">
          {program
            ? `This server has not been started yet. If you start it, this command runs on this machine with the rights of the proxy${isNotEmpty(server.env) ? " and receives the variables listed below" : ""}.`
            : `The proxy has not contacted this server yet. If you connect, the proxy contacts this URL${isNotEmpty(server.headers) ? " and sends the headers listed below" : ""}.`}
        </p>
      </div>
      <Launch server={server} />
      <p class="muted">
        It stays in quarantine: the proxy lists its tools for your review, and no client can call them until you release
        it.
      </p>
    </Dialog>
  );
}
