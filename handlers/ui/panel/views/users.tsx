import { type Data, Refused } from "../api.ts";
import { act, fresh, useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { confirm } from "../parts/dialog.tsx";
import { Search } from "../parts/filter.tsx";
import { Menu } from "../parts/menu.tsx";
import { Page, Section, Stat } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { count, Time } from "../parts/time.tsx";
import { setQuery, usePlace } from "../route.ts";
import { Browsers, browserOf } from "./account/browsers.tsx";

type User = Data<"GET /api/v1/admin/users">["users"][number];

/** The users of the multi-user edition: accounts, granted servers and sessions. */
export default function Users({ tab = "users" }: PageProps) {
  const glance = useLive("GET /api/v1/admin/dashboard", {}).data;
  return (
    <Page title="Users">
      {glance && (
        <section class="stats" aria-label="Summary">
          <Stat label="Users" value={count(glance.total_users)} />
          <Stat label="Signed in now" value={count(glance.active_users)} />
          <Stat label="Calls in 24 hours" value={count(glance.tool_calls_24h)} />
          <Stat
            label="Failed calls"
            value={`${(glance.error_rate_24h * 100).toFixed(glance.error_rate_24h > 0 ? 1 : 0)} %`}
            {...(glance.error_rate_24h > 0.1 && { tone: "warn" as const })}
          />
        </section>
      )}
      <Tabs
        label="Parts of this page"
        base="/users"
        current={tab}
        tabs={[
          { id: "users", title: "People" },
          { id: "browsers", title: "Browsers" },
        ]}
      />
      {tab === "browsers" ? <AllBrowsers /> : <People />}
    </Page>
  );
}

function People() {
  const users = useLive("GET /api/v1/admin/users", {});
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  if (users.error instanceof Refused && users.error.code === "edition_off")
    return (
      <Section>
        <Empty icon="users" title="This proxy runs the personal edition">
          To use the multi-user edition, enable it in the configuration (server_edition).
        </Empty>
      </Section>
    );
  return (
    <Shown of={users}>
      {({ users: all }) => (
        <>
          <div class="filters" role="search">
            <Search label="Search users" value={text} onValue={(q) => setQuery({ q })} />
          </div>
          <Section flush>
            <Table
              label="Users"
              rows={all.filter((u) => wordsOf(u).includes(text.toLowerCase()))}
              columns={COLUMNS}
              rowKey={(u) => u.id}
              sort="name"
              empty={
                <Empty icon="users" title={text === "" ? "No users yet" : "No users match"}>
                  {text === "" && "Users appear here after they sign in with the identity provider."}
                </Empty>
              }
            />
          </Section>
        </>
      )}
    </Shown>
  );
}

const wordsOf = (u: User) => `${u.email} ${u.display_name} ${u.groups.join(" ")}`.toLowerCase();

const COLUMNS: readonly Column<User>[] = [
  {
    id: "name",
    title: "Person",
    width: "minmax(9rem, 1.6fr)",
    sort: (u) => u.display_name || u.email,
    cell: (u) => (
      <>
        <span class="name">{u.display_name || u.email}</span> {u.display_name && <span class="muted">{u.email}</span>}
      </>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "6.5rem",
    sort: (u) => (u.disabled ? 1 : 0),
    cell: (u) =>
      u.disabled ? (
        <Badge tone="off">Disabled</Badge>
      ) : u.active_sessions > 0 ? (
        <Badge tone="ok">Signed in</Badge>
      ) : (
        <span class="muted">away</span>
      ),
  },
  {
    id: "role",
    title: "Role",
    width: "7rem",
    from: "medium",
    sort: (u) => u.role,
    cell: (u) => <Tag>{u.role === "admin" ? "administrator" : "user"}</Tag>,
  },
  {
    id: "servers",
    title: "Servers",
    width: "minmax(6rem, 1.2fr)",
    from: "medium",
    sort: (u) => u.servers.length,
    cell: (u) => <span title={u.servers.join(", ")}>{u.servers.join(", ") || "nothing"}</span>,
  },
  {
    id: "groups",
    title: "Groups",
    width: "minmax(5rem, 1fr)",
    from: "wide",
    cell: (u) => <span class="muted">{u.groups.join(", ")}</span>,
  },
  {
    id: "tokens",
    title: "Tokens",
    width: "4rem",
    from: "wide",
    align: "end",
    sort: (u) => u.tokens,
    cell: (u) => u.tokens,
  },
  {
    id: "seen",
    title: "Signed in",
    width: "6.5rem",
    from: "medium",
    sort: (u) => u.last_login_at,
    cell: (u) => (
      <span class="muted">
        <Time at={u.last_login_at} />
      </span>
    ),
  },
  {
    id: "acts",
    title: "",
    width: "2rem",
    align: "end",
    cell: (u) => (
      <Menu
        label={`Actions for ${u.email}`}
        items={[
          u.disabled
            ? { label: "Enable", icon: "play", run: () => enable(u) }
            : { label: "Disable", icon: "off", danger: true, run: () => disable(u) },
        ]}
      />
    ),
  },
];

/** Loads the list again, because no event reports changes of users. */
const look = (list: "users" | "sessions") =>
  Promise.all([fresh(`GET /api/v1/admin/${list}`, {}), fresh("GET /api/v1/admin/dashboard", {})]);

async function disable({ id, email }: User): Promise<void> {
  const yes = await confirm({
    title: `Disable ${email}?`,
    consequence:
      "This signs out the user's browsers and closes their streams immediately. The user's agent tokens do not work until you enable the user again.",
    verb: "Disable",
    danger: true,
  });
  if (!yes) return;
  await act("POST /api/v1/admin/users/{id}/disable", { params: { id } }, { done: `${email} is disabled` });
  await look("users");
}

async function enable({ id, email }: User): Promise<void> {
  await act(
    "POST /api/v1/admin/users/{id}/enable",
    { params: { id } },
    { done: `${email} may sign in again; their tokens work after that` },
  );
  await look("users");
}

function AllBrowsers() {
  const answer = useLive("GET /api/v1/admin/sessions", {});
  return (
    <Shown of={answer}>
      {({ sessions }) => (
        <Browsers
          sessions={sessions}
          onEnd={async (session) => {
            const yes = await confirm({
              title: `Sign ${session.email} out of ${browserOf(session)}?`,
              consequence: "The user has to sign in again in that browser. Agent tokens keep working.",
              verb: "Sign out",
              danger: true,
            });
            if (!yes) return;
            await act(
              "DELETE /api/v1/admin/sessions/{id}",
              { params: { id: session.id } },
              { done: `${session.email} is signed out of ${browserOf(session)}` },
            );
            await look("sessions");
          }}
        />
      )}
    </Shown>
  );
}
