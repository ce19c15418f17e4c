import { useState } from "preact/hooks";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge } from "../parts/badge.tsx";
import { Copy } from "../parts/copy.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { type ClientState, type Result, stateOf } from "./connect/client.ts";
import { ClientStanding } from "./connect/client-standing.tsx";
import { Connected } from "./connect/connected.tsx";
import { Plan, Renew } from "./connect/plan.tsx";

/** One MCP client: its state, the change that a connect makes, and undo. */
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
        <Connected state={state} result={result} onUndone={() => setResult(undefined)} />
      ) : (
        <ClientStanding state={state} />
      )}
      <Section title="Configuration file">
        <Facts
          of={[
            [
              "File",
              <span key="file" class="row tight">
                <code>{state.config_path}</code>
                <Copy text={state.config_path} label="Copy path" />
              </span>,
            ],
            ["Entry", connected && <code>{state.server_name}</code>],
            ["Endpoint", connected && state.registered_url && <code>{state.registered_url}</code>],
            ["This proxy", state.proxy_url && <code>{state.proxy_url}</code>],
            ["Notes", state.note],
          ]}
        />
      </Section>
      {!closed && !(connected && leads === "this") && <Plan state={state} onDone={setResult} />}
      {!closed && connected && leads === "this" && !result && <Renew state={state} onDone={setResult} />}
    </>
  );
}
