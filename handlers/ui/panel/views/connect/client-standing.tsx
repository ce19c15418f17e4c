import { call, reasonOf } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toast.tsx";
import { href } from "../../route.ts";
import { type ClientState, look } from "./client.ts";

/** The client's state, with remedies for problems. */
export function ClientStanding({ state }: { state: ClientState }) {
  const { name, access_state: access, connected, endpoint_match: leads, registered_url: registered } = state;
  const again = (
    <Button small icon="refresh" onClick={() => look(state.id)}>
      Refresh
    </Button>
  );
  if (access === "denied")
    return (
      <div class="notice bad" role="alert">
        <Icon name="bad" />
        <div class="grow">
          <strong>The operating system denies access to this file</strong>
          <p>{state.remediation}</p>
        </div>
        {again}
      </div>
    );
  if (access === "malformed")
    return (
      <div class="notice bad" role="alert">
        <Icon name="bad" />
        <div class="grow">
          <strong>The file is malformed, so the proxy does not write to it</strong>
          <p>{state.reason}</p>
        </div>
        {again}
      </div>
    );
  if (connected && leads === "this")
    return (
      <div class="notice ok">
        <Icon name="check" />
        <p class="grow">
          {name} uses this proxy. Its calls appear under <a href={href("/activity")}>activity</a>.
        </p>
        <Button small onClick={() => disconnect(state)}>
          Disconnect
        </Button>
      </div>
    );
  if (connected)
    return (
      <div class="notice warn">
        <Icon name="warn" />
        <p class="grow">
          The entry <code>{state.server_name}</code> uses another endpoint
          {registered && (
            <>
              : <code>{registered}</code>
            </>
          )}
          . Connecting replaces the entry.
        </p>
        <Button small onClick={() => disconnect(state)}>
          Remove the entry
        </Button>
      </div>
    );
  return null;
}

async function disconnect({ id, name, server_name = "" }: ClientState): Promise<void> {
  const yes = await confirm({
    title: `Disconnect ${name}?`,
    consequence: `The proxy removes the entry "${server_name}" from the client's configuration, revokes the agent token that was created for it, and keeps a backup of the file. You may have to restart ${name}.`,
    verb: "Disconnect",
    danger: true,
  });
  if (!yes) return;
  try {
    const { message } = await call("DELETE /api/v1/connect/{client}", {
      params: { client: id },
      query: { server_name },
    });
    toast(message);
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
  }
  await look(id);
}
