import { useEffect } from "preact/hooks";
import { call, type Data } from "../../api.ts";
import { act, fresh, useLive } from "../../live.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Switch } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { plural, Time } from "../../parts/time.tsx";

type Own = Data<"GET /api/v1/user/servers">["shared"][number];
type Credential = Data<"GET /api/v1/user/credentials">["credentials"][number];

const STATES: Record<Credential["status"], { tone: Tone; text: string }> = {
  connected: { tone: "ok", text: "Signed in" },
  automatic: { tone: "ok", text: "Signs in by itself" },
  expired: { tone: "warn", text: "Sign-in expired" },
  not_connected: { tone: "wait", text: "Not signed in" },
  unavailable: { tone: "bad", text: "Cannot be stored" },
};

/** The user's servers: whether they are enabled, and the user's sign-in if a server needs one. */
export function OwnServers() {
  const servers = useLive("GET /api/v1/user/servers", {});
  const credentials = useLive("GET /api/v1/user/credentials", {});
  // A sign-in happens in another tab; its result is loaded when this tab is shown again.
  useEffect(() => {
    const back = () => credentials.refresh();
    addEventListener("focus", back);
    return () => removeEventListener("focus", back);
  });
  return (
    <Shown of={servers}>
      {({ personal, shared }) => {
        const all = [...personal, ...shared];
        return (
          <Section flush>
            {all.length === 0 ? (
              <Empty icon="servers" title="You have no servers">
                An administrator decides which servers you may use.
              </Empty>
            ) : (
              <ul class="lines" aria-label="My servers">
                {all.map((server) => (
                  <Row
                    key={server.name}
                    server={server}
                    credential={credentials.data?.credentials.find((c) => c.server === server.name)}
                  />
                ))}
              </ul>
            )}
          </Section>
        );
      }}
    </Shown>
  );
}

function Row({ server, credential }: { server: Own; credential: Credential | undefined }) {
  const { name, tool_count, user_enabled, health } = server;
  return (
    <li>
      <div class="grow">
        <span class="name">{name}</span> <span class="muted">{tool_count > 0 && plural(tool_count, "tool")}</span>
        <p class="muted">{health.summary}</p>
      </div>
      {credential && <SignedIn credential={credential} />}
      <Switch label="Enabled" checked={user_enabled} onChange={(enabled) => void prefer(name, enabled)} />
    </li>
  );
}

function SignedIn({ credential: c }: { credential: Credential }) {
  const { tone, text } = STATES[c.status];
  const known = c.status === "connected" || c.status === "expired";
  const isInsufficient = c.mode === "oauth_connect" && c.status === "connected" && c.reason !== undefined;
  return (
    <div class="row">
      <Badge tone={tone}>{text}</Badge>
      {c.status === "unavailable" && (
        <span class="hint">Set server_edition.credential_encryption_key in the configuration.</span>
      )}
      {c.status === "connected" && c.expires_at && (
        <span class="hint">
          renewed <Time at={c.expires_at} />
        </span>
      )}
      {c.reason && <span class="hint">{c.reason}</span>}
      {(c.status === "expired" || c.status === "not_connected" || isInsufficient) && (
        <a class="button small main" href={c.connect_path} target="_blank" rel="noopener">
          {isInsufficient ? "Sign in again" : "Sign in"}
        </a>
      )}
      {known && (
        <Button small onClick={() => forget(c.server)}>
          Delete
        </Button>
      )}
    </div>
  );
}

async function prefer(name: string, enabled: boolean): Promise<void> {
  const choose = (to: boolean) => ({ params: { name }, body: { enabled: to } });
  await act("POST /api/v1/user/servers/{name}/enable", choose(enabled), {
    done: enabled ? `${name} is enabled for you` : `${name} is disabled for you only`,
    undo: async () => {
      await call("POST /api/v1/user/servers/{name}/enable", choose(!enabled));
      await fresh("GET /api/v1/user/servers", {});
    },
  });
  await fresh("GET /api/v1/user/servers", {});
}

async function forget(server: string): Promise<void> {
  const yes = await confirm({
    title: `Delete your sign-in at ${server}?`,
    consequence: "Calls by you and your agent tokens to this server are rejected until you sign in again.",
    verb: "Delete sign-in",
    danger: true,
  });
  if (!yes) return;
  await act(
    "DELETE /api/v1/user/credentials/{server}",
    { params: { server } },
    { done: `Your sign-in at ${server} is deleted` },
  );
  await fresh("GET /api/v1/user/credentials", {});
}
