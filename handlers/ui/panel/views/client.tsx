import { useState } from "preact/hooks";
import { call, reasonOf } from "../api.ts";
import { fresh, useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Copy, Snippet } from "../parts/copy.tsx";
import { confirm } from "../parts/dialog.tsx";
import { Input } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { PatchText } from "../parts/patch.tsx";
import { Shown } from "../parts/states.tsx";
import { toast } from "../parts/toast.tsx";
import { href } from "../route.ts";
import { useSettled } from "../settled.ts";
import { type ClientState, connect, look, type Preview, type Result, stateOf, undo } from "./connect/client.ts";

/** One MCP client: how it stands, what connecting it writes, and the way back. */
export default function ClientPage({ client = "" }: PageProps) {
  const state = useLive("GET /api/v1/connect/{client}", { params: { client } });
  const title = state.data?.name ?? client;
  const badge = state.data && stateOf(state.data);
  return (
    <Page
      title={title}
      crumbs={[["Connect", "/connect"]]}
      aside={badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
    >
      <Shown of={state}>{(found) => <Known key={client} state={found} />}</Shown>
    </Page>
  );
}

function Known({ state }: { state: ClientState }) {
  const [result, setResult] = useState<Result>();
  const { access_state: access, connected, endpoint_match: leads } = state;
  const closed = access === "denied" || access === "malformed";
  return (
    <>
      {result ? (
        <Done state={state} result={result} onUndone={() => setResult(undefined)} />
      ) : (
        <Standing state={state} />
      )}
      <Section title="Its configuration">
        <Facts
          of={[
            [
              "File",
              <span key="file" class="row tight">
                <code>{state.config_path}</code>
                <Copy text={state.config_path} label="Copy the path" />
              </span>,
            ],
            ["Entry", connected && <code>{state.server_name}</code>],
            ["Leads to", connected && state.registered_url && <code>{state.registered_url}</code>],
            ["This proxy", state.proxy_url && <code>{state.proxy_url}</code>],
            ["Worth knowing", state.note],
          ]}
        />
      </Section>
      {!closed && !(connected && leads === "this") && <Plan state={state} onDone={setResult} />}
      {!closed && connected && leads === "this" && !result && <Renew state={state} onDone={setResult} />}
    </>
  );
}

/** How it is, and what to do about what is in the way. */
function Standing({ state }: { state: ClientState }) {
  const { name, access_state: access, connected, endpoint_match: leads, registered_url: registered } = state;
  const again = (
    <Button small icon="refresh" onClick={() => look(state.id)}>
      Look again
    </Button>
  );
  if (access === "denied")
    return (
      <div class="notice bad" role="alert">
        <Icon name="bad" />
        <div class="grow">
          <strong>The system keeps the proxy from its file</strong>
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
          <strong>Its file cannot be read as it is, so nothing is written into it</strong>
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
          {name} leads here. What it calls shows up under <a href={href("/activity")}>activity</a>.
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
          Its entry <code>{state.server_name}</code> leads elsewhere
          {registered && (
            <>
              : <code>{registered}</code>
            </>
          )}
          . Connecting replaces it.
        </p>
        <Button small onClick={() => disconnect(state)}>
          Take the entry out
        </Button>
      </div>
    );
  return null;
}

async function disconnect({ id, name, server_name = "" }: ClientState): Promise<void> {
  const yes = await confirm({
    title: `Disconnect ${name}?`,
    consequence: `The entry "${server_name}" leaves its configuration, and an agent token that was made for it ends. A copy of the file is kept. ${name} may have to be restarted.`,
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

/** What was just written, what comes next, and the way back. */
function Done({ state, result, onUndone }: { state: ClientState; result: Result; onUndone(): void }) {
  const takeBack = async () => {
    try {
      await undo(result);
      onUndone();
    } catch (error) {
      toast(reasonOf(error), { tone: "bad" });
    }
  };
  return (
    <section class="hero" role="status">
      <span class="hero-icon ok">
        <Icon name="check" size={20} />
      </span>
      <div class="grow">
        <h2>
          {result.action === "already_exists" ? `${state.name} was connected already` : `${state.name} is connected`}
        </h2>
        <p class="muted">
          Restart {state.name}, or load its servers anew. Its first call shows up under{" "}
          <a href={href("/activity")}>activity</a>.
        </p>
        {result.backup_path && (
          <p class="hint">
            A copy of the file as it was: <code>{result.backup_path}</code>
          </p>
        )}
      </div>
      {result.action !== "already_exists" && (
        <Button icon="refresh" onClick={takeBack}>
          Undo
        </Button>
      )}
    </section>
  );
}

/** For a client that leads here: its entry can be written anew, with a new token. */
function Renew(props: { state: ClientState; onDone(result: Result): void }) {
  const [open, setOpen] = useState(false);
  if (open) return <Plan {...props} />;
  return (
    <div class="row">
      <Button small kind="bare" onClick={() => setOpen(true)}>
        Write the entry anew
      </Button>
    </div>
  );
}

/** What would be written, as a difference, and the button that does just that. */
function Plan({ state, onDone }: { state: ClientState; onDone(result: Result): void }) {
  const [name, setName] = useState(state.server_name ?? "");
  const [stale, setStale] = useState(false);
  const args = { params: { client: state.id }, query: { server_name: useSettled(name.trim(), 300) } };
  const preview = useLive("GET /api/v1/connect/{client}/preview", args);
  const write = async (shown: Preview) => {
    setStale(false);
    const result = await connect(shown);
    if (result === "stale") {
      await fresh("GET /api/v1/connect/{client}/preview", args);
      setStale(true);
      await look(state.id);
    } else if (result) {
      onDone(result);
      await look(state.id);
    }
  };
  return (
    <Shown of={preview}>
      {(shown) => (
        <Section
          title={shown.entry_exists ? "What would be replaced" : "What would be written"}
          actions={<span class="hint">Nothing is written yet</span>}
        >
          <div class="stack">
            {stale && (
              <div class="notice warn" role="alert">
                <Icon name="warn" />
                <p class="grow">
                  The file or the entry was changed since you looked, so nothing was written. This is how it would be
                  now.
                </p>
              </div>
            )}
            {shown.connect_refusal ? (
              <>
                <div class="notice bad" role="alert">
                  <Icon name="bad" />
                  <p class="grow">{shown.connect_refusal}</p>
                  <Button small icon="refresh" onClick={preview.refresh}>
                    Look again
                  </Button>
                </div>
                <p class="muted">By hand it would be this:</p>
                <Snippet label="entry" text={shown.entry_text} />
              </>
            ) : shown.diff === "" ? (
              <p class="muted">Its file says this already; nothing would change.</p>
            ) : (
              <PatchText text={shown.diff} label={`Changes in ${shown.config_path}`} />
            )}
            {shown.existing_entry_summary && (
              <p class="muted">
                It has an entry <code>{shown.existing_entry_summary.entry_name}</code> already
                {shown.existing_entry_summary.endpoint && (
                  <>
                    , which leads to <code>{shown.existing_entry_summary.endpoint}</code>
                  </>
                )}
                {shown.existing_entry_summary.command && (
                  <>
                    , which starts <code>{shown.existing_entry_summary.command}</code>
                  </>
                )}
                . A copy of the file is kept.
              </p>
            )}
            {shown.note && <p class="hint">{shown.note}.</p>}
            <details>
              <summary>Call the entry otherwise</summary>
              <Input
                label="Name in the client"
                hint="Letters, digits, - and _. The client shows its tools under this name."
                value={name}
                placeholder={shown.server_name}
                autocomplete="off"
                onValue={setName}
              />
            </details>
            <div class="row end">
              <Button icon="refresh" kind="bare" onClick={preview.refresh}>
                Look again
              </Button>
              <Button
                kind="main"
                disabled={shown.connect_refusal !== undefined || preview.error !== undefined}
                onClick={() => write(shown)}
              >
                {shown.entry_exists ? "Replace the entry" : `Connect ${state.name}`}
              </Button>
            </div>
            {preview.error && (
              <p class="error" role="alert">
                {reasonOf(preview.error)}
              </p>
            )}
          </div>
        </Section>
      )}
    </Shown>
  );
}
