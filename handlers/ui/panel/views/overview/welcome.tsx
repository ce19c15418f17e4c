import { useState } from "preact/hooks";
import { act, fresh, useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { dangerFirst, isDangerous, useStandings } from "../../parts/danger.ts";
import { HealthBadge, type Server, troubleOf, waitingOf } from "../../parts/health.tsx";
import { Page } from "../../parts/page.tsx";
import { Step } from "../../parts/steps.tsx";
import { listed, plural } from "../../parts/time.tsx";
import { at, go, href } from "../../route.ts";
import { ServerRemedy } from "../../server-remedy.tsx";
import { useIsAdmin } from "../../session.ts";
import { Decision } from "../../trust/decision.tsx";
import { AddServer } from "../servers/add.tsx";
import { FirstCall } from "./first-call.tsx";

/** The first visit: the steps from an empty proxy to a first successful call. */
export function Welcome() {
  const servers = useLive("GET /api/v1/servers", {});
  const sessions = useLive("GET /api/v1/sessions", { query: { limit: "1" } });
  const calls = useLive("GET /api/v1/activity", { query: { type: "tool_call", status: "success", limit: "1" } });
  const all = servers.data?.servers ?? [];
  const held = all.filter((s) => s.enabled && (s.quarantined || waitingOf(s) > 0));
  const done = [
    all.length > 0,
    // Only approved tools complete this step: a released server without any has not been reviewed.
    all.some(isUsable) && held.length === 0,
    (calls.data?.total ?? 0) > 0,
    (sessions.data?.total ?? 0) > 0,
  ];
  const now = done.indexOf(false);
  const state = (i: number) => (done[i] ? "done" : i === now ? "now" : "later");
  return (
    <Page
      title="Welcome"
      about="One endpoint for all your MCP servers. Four steps lead to the first call."
      actions={
        done[0] && (
          <a class={`button${now < 0 ? " main" : ""}`} href={href("/")}>
            Go to the overview
          </a>
        )
      }
    >
      <ol class="steps">
        <Step n={1} state={state(0)} title="Add a server">
          <Bring servers={all} />
        </Step>
        <Step n={2} state={state(1)} title="Review and approve tools">
          {state(1) !== "later" && <Approve servers={all} held={held} />}
        </Step>
        <Step n={3} state={state(2)} title="Make the first call">
          {(state(2) !== "later" || all.some(isUsable)) && <FirstCall servers={all} />}
        </Step>
        <Step n={4} state={state(3)} title="Connect a client">
          {state(3) !== "later" && <Client />}
        </Step>
      </ol>
    </Page>
  );
}

/** A server with approved tools. */
const isUsable = (s: Server): boolean =>
  s.enabled && !s.quarantined && s.tool_count - waitingOf(s) - (s.quarantine?.blocked_count ?? 0) > 0;

function Bring({ servers }: { servers: readonly Server[] }) {
  const [adding, setAdding] = useState(false);
  const demo = async () => {
    const done = await act("POST /ui/demo", {});
    if (!done) return;
    await fresh("GET /api/v1/servers", {});
    await go("/welcome");
  };
  const isAdmin = useIsAdmin();
  // Their files are not opened here: macOS asks the person for permission then.
  const files = useLive("GET /api/v1/servers/import/paths", isAdmin ? {} : undefined);
  const clients = (files.data?.paths ?? []).filter((file) => file.exists).map(({ name }) => name);
  if (servers.length > 0)
    return (
      <div class="row">
        {servers.slice(0, 6).map((s) => (
          <a key={s.name} class="tag" href={href(at("servers", s.name))}>
            {s.name}
          </a>
        ))}
        <Button small icon="plus" onClick={() => setAdding(true)}>
          Add another
        </Button>
        {adding && <AddServer onClose={() => setAdding(false)} to="/welcome" />}
      </div>
    );
  return (
    <>
      {clients.length > 0 && (
        <>
          <p class="muted">
            {listed(clients)} {clients.length === 1 ? "has" : "have"} a configuration on this machine. Setup imports{" "}
            {clients.length === 1 ? "its" : "their"} servers, shows their tools for review, and connects{" "}
            {clients.length === 1 ? "the client" : "the clients"}.
          </p>
          <div class="row">
            <a class="button main" href={href("/setup")}>
              Set up from {clients.length === 1 ? clients[0] : plural(clients.length, "client")}
            </a>
          </div>
        </>
      )}
      <p class="muted">
        {clients.length > 0 ? "Or try" : "Try"} the built-in demo server (a calculator, a notebook and a clock; nothing
        to install), or add a server yourself.
      </p>
      <div class="row">
        <Button kind={clients.length > 0 ? "plain" : "main"} icon="play" onClick={demo}>
          Start the demo server
        </Button>
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add a server
        </Button>
      </div>
      {adding && <AddServer onClose={() => setAdding(false)} to="/welcome" />}
    </>
  );
}

function Approve({ servers, held }: { servers: readonly Server[]; held: readonly Server[] }) {
  const standings = useStandings();
  if (servers.length === 0) return null;
  if (held.length === 0)
    return (
      <p class="muted">
        No tools are pending. New and changed tools appear in Approvals and stay pending until you approve them.
      </p>
    );
  return (
    <ul class="lines boxed" aria-label="Servers to review">
      {dangerFirst(held, standings).map((s) => (
        <li key={s.name}>
          <div class="grow">
            <a class="name" href={href(at("servers", s.name))}>
              {s.name}
            </a>{" "}
            {s.quarantined ? (
              <HealthBadge server={s} standing={standings.get(s.name)} />
            ) : (
              <Badge tone="wait">{plural(waitingOf(s), "tool")} waiting</Badge>
            )}
            {s.quarantined &&
              (s.tool_count === 0 || s.health.level !== "healthy" || isDangerous(standings.get(s.name))) && (
                <p class="muted">{troubleOf(s, standings.get(s.name))}</p>
              )}
          </div>
          {s.health.level !== "healthy" && <ServerRemedy server={s} />}
          {s.quarantined ? (
            <Decision small server={s} standing={standings.get(s.name)} />
          ) : (
            <a class="button small main" href={href(`/approvals?server=${encodeURIComponent(s.name)}`)}>
              Review
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The connection of a client: an entry in its file, written here, or the URL. */
function Client() {
  const url = `${location.origin}/mcp`;
  const clients = useLive("GET /api/v1/connect", {});
  const here = (clients.data ?? []).filter((c) => c.exists).slice(0, 4);
  return (
    <>
      <p class="muted">
        The client can then search the tools of all servers. The proxy can edit the client's configuration file; you
        preview the change first:
      </p>
      <div class="row">
        {here.map((c, i) => (
          <a key={c.id} class={`button${i === 0 ? " main" : ""}`} href={href(at("connect", c.id))}>
            Connect {c.name}
          </a>
        ))}
        <a class={`button${here.length === 0 ? " main" : " bare"}`} href={href("/connect")}>
          {here.length === 0 ? "Choose your client" : "Another client"}
        </a>
      </div>
      <p class="muted">Or enter the address yourself:</p>
      <Snippet label="command for Claude Code" text={`claude mcp add --transport http mcpproxy ${url}`} />
      <Snippet
        label="configuration for other clients"
        text={JSON.stringify({ mcpServers: { mcpproxy: { url } } }, null, 2)}
      />
    </>
  );
}

export default Welcome;
