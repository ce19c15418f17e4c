import { useState } from "preact/hooks";
import { movableEntries } from "#lib/client/setup/movable-entries.ts";
import { call, reasonOf } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Switch } from "../../parts/field.tsx";
import { PatchText } from "../../parts/patch.tsx";
import { Shown } from "../../parts/states.tsx";
import { listed, plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, href } from "../../route.ts";
import { undo } from "../connect/client.ts";
import type { Survey } from "./survey.ts";

type Client = Survey["clients"][number];

interface Plan {
  client: Client;
  /** Entries in the client's file whose servers the proxy has. */
  entries: readonly string[];
}

interface ConnectClientsProps {
  survey: Survey;
  /** Names of servers for which the proxy can stand in. */
  available: ReadonlySet<string>;
  /** Whether this is the step to take now. */
  isNow: boolean;
  onChanged(): Promise<void>;
}

/** Connects the clients, and removes their own entries of the servers that the proxy has. */
export function ConnectClients({ survey, available, isNow, onChanged }: ConnectClientsProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [move, setMove] = useState(true);
  const plans = clientPlans(survey, available);
  const open = plans.filter(needsChange);
  const chosen = open.filter(({ client }) => !left.has(client.client));
  const hasEntries = open.some(({ entries }) => entries.length > 0);
  const run = async () => {
    for (const plan of chosen) await connectOne(plan, move, onChanged);
    await onChanged();
  };
  return (
    <>
      <ul class="choices tools" aria-label="Clients">
        {plans.map((plan) => (
          <ClientRow
            key={plan.client.client}
            plan={plan}
            move={move}
            isChosen={!left.has(plan.client.client)}
            onToggle={() => {
              const next = new Set(left);
              if (!next.delete(plan.client.client)) next.add(plan.client.client);
              setLeft(next);
            }}
          />
        ))}
      </ul>
      {hasEntries && (
        <Switch
          label="Remove the clients' own entries of these servers"
          hint="Each tool then appears once, and every call is reviewed and logged. While the entries stay, the client also starts these servers itself, past quarantine and approvals."
          checked={move}
          onChange={setMove}
        />
      )}
      {open.length > 0 && (
        <div class="row">
          <Button
            kind={isNow ? "main" : "plain"}
            icon="connect"
            blocked={chosen.length === 0 && "Select a client first."}
            onClick={run}
          >
            Connect {plural(chosen.length, "client")}
          </Button>
          <span class="hint">The proxy backs up each file first, and Undo restores it.</span>
        </div>
      )}
    </>
  );
}

export function clientPlans(survey: Survey, available: ReadonlySet<string>): Plan[] {
  return survey.clients
    .filter(({ error }) => error === undefined)
    .map((client) => ({ client, entries: movableEntries(survey, client.client, available) }));
}

export const needsChange = ({ client, entries }: Plan): boolean => !client.connected || entries.length > 0;

function ClientRow(props: { plan: Plan; move: boolean; isChosen: boolean; onToggle(): void }) {
  const { plan, move, isChosen, onToggle } = props;
  const { client: id, name, config_path, connected } = plan.client;
  const entries = move ? plan.entries : [];
  const changes = [
    ...(connected ? [] : ["adds the proxy"]),
    ...(entries.length > 0 ? [`removes ${listed(entries)}`] : []),
  ];
  return (
    <li>
      {needsChange(plan) ? (
        <label>
          <input type="checkbox" checked={isChosen} onChange={onToggle} />
          <span class="name">{name}</span>
          {connected && <Badge tone="ok">Connected</Badge>}
        </label>
      ) : (
        <div class="row">
          <a class="name" href={href(at("connect", id))}>
            {name}
          </a>
          <Badge tone="ok">Connected</Badge>
        </div>
      )}
      <code class="block-code muted">{config_path}</code>
      {changes.length > 0 && <p class="hint">This {changes.join(" and ")}.</p>}
      {!connected && <Change client={id} />}
    </li>
  );
}

/** The entry that is added, as a diff; it is loaded when it is opened. */
function Change({ client }: { client: string }) {
  const [open, setOpen] = useState(false);
  const args = { params: { client }, query: { server_name: "" } };
  const preview = useLive("GET /api/v1/connect/{client}/preview", open ? args : undefined);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show the new entry</summary>
      {open && (
        <Shown of={preview} lines={2}>
          {({ diff, config_path, connect_refusal: refusal }) =>
            refusal ? <p class="error">{refusal}</p> : <PatchText text={diff} label={`Changes in ${config_path}`} />
          }
        </Shown>
      )}
    </details>
  );
}

/**
 * Connects one client, then removes its entries: in this order, a failure never leaves the client without its servers.
 * Each step can be undone, the last one first.
 */
async function connectOne({ client, entries }: Plan, move: boolean, onUndone: () => Promise<void>): Promise<void> {
  const params = { client: client.client };
  const undos: (() => Promise<void>)[] = [];
  const parts: string[] = [];
  let problem: string | undefined;
  try {
    if (!client.connected) {
      const { precondition_token } = await call("GET /api/v1/connect/{client}/preview", {
        params,
        query: { server_name: "" },
      });
      const done = await call("POST /api/v1/connect/{client}", {
        params,
        body: { server_name: "", force: false, precondition_token },
      });
      parts.push(`${client.name} uses the proxy`);
      if (done.action !== "already_exists") undos.unshift(() => undo(done));
    }
    if (move && entries.length > 0) {
      const moved = await call("POST /api/v1/connect/{client}/move", {
        params,
        body: { server_names: [...entries], preview: false },
      });
      if (moved.removed.length > 0) parts.push(`removed from its file: ${moved.removed.join(", ")}`);
      if (moved.backup_path !== undefined) undos.unshift(() => undo(moved));
    }
  } catch (error) {
    problem = reasonOf(error);
  }
  const back =
    undos.length > 0
      ? {
          label: "Undo",
          run: async () => {
            for (const step of undos) await step();
            await onUndone();
          },
        }
      : undefined;
  if (parts.length > 0) toast(`${parts.join("; ")}. Restart ${client.name} if it runs.`, back);
  if (problem !== undefined) toast(`${client.name} was not changed completely: ${problem}`, { tone: "bad" });
}
