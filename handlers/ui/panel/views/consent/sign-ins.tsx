import { useEffect, useState } from "preact/hooks";
import type { Data } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Shown } from "../../parts/states.tsx";
import { Toasts } from "../../parts/toast.tsx";
import { login } from "../../server-actions.ts";

type Allowed = Data<"GET /ui/consent/{uid}/servers">;
type Row = Omit<Allowed["servers"][number], "state"> & { state: "needed" | "pending" | "done" };

/** After the consent: the person signs in at the servers that need it, or skips that, and returns to the client. */
export function SignIns({ uid }: { uid: string }) {
  const answer = useLive("GET /ui/consent/{uid}/servers", { params: { uid } });
  // A sign-in happens in another tab; its result is loaded when this tab is shown again.
  useEffect(() => {
    addEventListener("focus", answer.refresh);
    return () => removeEventListener("focus", answer.refresh);
  });
  return (
    <>
      <Shown of={answer}>{(allowed) => <Servers allowed={allowed} />}</Shown>
      <Toasts />
    </>
  );
}

function Servers({ allowed: { client, redirect_to, servers } }: { allowed: Allowed }) {
  // The list names only servers that need a sign-in; those that do not any more stay visible.
  const [seen, setSeen] = useState<readonly string[]>([]);
  useEffect(() => {
    const added = servers.map(({ name }) => name).filter((name) => !seen.includes(name));
    if (added.length > 0) setSeen([...seen, ...added]);
  }, [servers]);
  const done = seen.filter((name) => servers.every((server) => server.name !== name));
  const rows: readonly Row[] = [...servers, ...done.map((name) => ({ name, state: "done" as const }))];
  const isDone = servers.length === 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.href = redirect_to;
      }}
    >
      <Mark size={36} />
      <h1>Sign in at your servers</h1>
      <p>
        {client.name} has access. {isDone ? "All its servers are ready." : "These servers do not know you yet:"}
      </p>
      <ul class="lines" aria-label="Servers that need a sign-in">
        {rows
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((row) => (
            <Server key={row.name} row={row} />
          ))}
      </ul>
      <div class="row end">
        <Button kind="main" type="submit">
          {isDone ? `Continue to ${client.name}` : `Skip and continue to ${client.name}`}
        </Button>
      </div>
      {!isDone && (
        <p class="hint">
          {client.name} cannot use a server before you have signed in there. You can also do that later, in the control
          panel.
        </p>
      )}
    </form>
  );
}

function Server({ row: { name, state, reason, connect_path } }: { row: Row }) {
  return (
    <li>
      <div class="grow">
        <span class="name">{name}</span>
        {state !== "done" && reason !== undefined && <p class="muted">{reason}</p>}
      </div>
      {state === "done" ? (
        <Badge tone="ok">Signed in</Badge>
      ) : (
        <div class="row">
          {state === "pending" && <Badge tone="wait">Under way</Badge>}
          {connect_path === undefined ? (
            <Button small kind="main" label={`Sign in at ${name}`} onClick={() => login({ name })}>
              Sign in
            </Button>
          ) : (
            <a
              class="button small main"
              href={connect_path}
              target="_blank"
              rel="noopener"
              aria-label={`Sign in at ${name}`}
            >
              Sign in
            </a>
          )}
        </div>
      )}
    </li>
  );
}
