import { useState } from "preact/hooks";
import { useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { forget, type Issued, regenerate, revoke, type Token, type Whose } from "./acts.ts";
import { TokensOptional } from "./optional.tsx";
import { Secret } from "./secret.tsx";

/** Every agent token of the proxy. */
export function AgentTokens({ onAdd }: { onAdd(): void }) {
  const answer = useLive("GET /api/v1/tokens", {});
  return (
    <Shown of={answer}>
      {({ tokens, mcp_auth_required }) => (
        <>
          {!mcp_auth_required && <TokensOptional />}
          <TokenTable tokens={tokens} whose="proxy" onAdd={onAdd} />
        </>
      )}
    </Shown>
  );
}

/** A list of tokens with their actions. */
export function TokenTable({ tokens, whose, onAdd }: { tokens: readonly Token[]; whose: Whose; onAdd(): void }) {
  const [issued, setIssued] = useState<Issued>();
  const owners = tokens.some((t) => t.owner !== undefined);
  return (
    <Section flush>
      <Table
        label="Agent tokens"
        rows={tokens}
        columns={[
          ...COLUMNS.filter((c) => owners || c.id !== "owner"),
          {
            id: "acts",
            title: "",
            width: "2rem",
            align: "end",
            cell: (t) => (
              <Menu
                label={`Actions for ${t.name}`}
                items={[
                  // A client that signed in renews its secret by itself.
                  ...(t.revoked || t.client
                    ? []
                    : ([
                        {
                          label: "Regenerate secret",
                          icon: "refresh",
                          run: async () => setIssued(await regenerate(t, whose)),
                        },
                      ] as const)),
                  ...(t.revoked
                    ? []
                    : ([{ label: "Revoke", icon: "off", danger: true, run: () => revoke(t, whose) }] as const)),
                  { label: "Delete", icon: "trash", danger: true, run: () => forget(t, whose) },
                ]}
              />
            ),
          },
        ]}
        rowKey={(t) => t.name}
        sort="name"
        empty={
          <Empty
            icon="tokens"
            title="No tokens yet"
            action={
              <Button kind="main" icon="plus" onClick={onAdd}>
                Create token
              </Button>
            }
          >
            Create one token per client: the activity log then shows the client of each call, and you can revoke one
            token without the others.
          </Empty>
        }
      />
      {issued && <Secret issued={issued} onClose={() => setIssued(undefined)} />}
    </Section>
  );
}

const DAY_MS = 86_400_000;

/** The state of a token in one word. */
function State({ token }: { token: Token }) {
  if (token.revoked) return <Badge tone="off">Revoked</Badge>;
  if (token.expired) return <Badge tone="bad">Expired</Badge>;
  if (Date.parse(token.expires_at) - Date.now() < 3 * DAY_MS) return <Badge tone="warn">Expires soon</Badge>;
  return <Badge tone="ok">Active</Badge>;
}

const rank = (t: Token) => (t.revoked ? 2 : t.expired ? 1 : 0);

const COLUMNS: readonly Column<Token>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(6rem, 1.2fr)",
    sort: (t) => t.name,
    cell: (t) => (
      <>
        <span class="name">{t.name}</span>{" "}
        {t.client ? (
          <span class="muted">signed in{t.client.host !== undefined && ` from ${t.client.host}`}</span>
        ) : (
          <code class="muted">{t.token_prefix}…</code>
        )}
      </>
    ),
  },
  { id: "state", title: "State", width: "6.5rem", sort: rank, cell: (t) => <State token={t} /> },
  {
    id: "scope",
    title: "Servers",
    width: "minmax(6rem, 1.2fr)",
    from: "medium",
    cell: (t) =>
      t.profile_pin !== undefined
        ? `profile ${t.profile_pin}`
        : t.allowed_servers.includes("*")
          ? "all"
          : t.allowed_servers.join(", "),
  },
  {
    id: "may",
    title: "Permissions",
    width: "minmax(5rem, 1fr)",
    from: "wide",
    cell: (t) => <span class="muted">{t.permissions.join(", ")}</span>,
  },
  {
    id: "owner",
    title: "Owner",
    width: "minmax(5rem, 1fr)",
    from: "wide",
    sort: (t) => t.owner ?? "",
    cell: (t) => <span class="muted">{t.owner ?? "the proxy"}</span>,
  },
  {
    id: "ends",
    title: "Expires",
    width: "6.5rem",
    from: "medium",
    sort: (t) => t.expires_at,
    cell: (t) => <Time at={t.expires_at} />,
  },
  {
    id: "used",
    title: "Last used",
    width: "6.5rem",
    from: "medium",
    sort: (t) => t.last_used_at ?? "",
    cell: (t) => <span class="muted">{t.last_used_at ? <Time at={t.last_used_at} /> : "never"}</span>,
  },
];
