import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { HealthBadge, type Server, waitingOf } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { plural, Time } from "../parts/time.tsx";
import { at, go, href } from "../route.ts";
import { login, quarantine, refreshTools, release, remove, restart, setEnabled } from "../server-acts.ts";
import { ServerLog } from "./servers/log.tsx";
import { ServerSettings } from "./servers/settings/settings.tsx";
import { ServerTools } from "./servers/tools.tsx";

/** One server: how it is, its tools, its log, its settings. */
export default function ServerPage({ name = "", tab = "tools" }: PageProps) {
  const servers = useLive("GET /api/v1/servers", {});
  return (
    <Shown of={servers}>
      {({ servers: all }) => {
        const server = all.find((s) => s.name === name);
        return server ? <Found server={server} tab={tab} /> : <Gone name={name} />;
      }}
    </Shown>
  );
}

function Gone({ name }: { name: string }) {
  return (
    <Page title={name} crumbs={[["Servers", "/servers"]]}>
      <Section>
        <Empty
          icon="servers"
          title={`There is no server "${name}"`}
          action={<a href={href("/servers")}>All servers</a>}
        >
          It may have been removed, or be called otherwise.
        </Empty>
      </Section>
    </Page>
  );
}

function Found({ server, tab }: { server: Server; tab: string }) {
  const { name, enabled, quarantined } = server;
  return (
    <Page
      title={name}
      crumbs={[["Servers", "/servers"]]}
      aside={<HealthBadge server={server} />}
      actions={
        <>
          {quarantined && (
            <Button kind="main" icon="shield" onClick={() => release(server)}>
              Release
            </Button>
          )}
          {enabled ? (
            <Button icon="refresh" onClick={() => restart(server)}>
              Restart
            </Button>
          ) : (
            <Button kind="main" icon="play" onClick={() => setEnabled(server, true)}>
              Switch on
            </Button>
          )}
          <Menu
            label="More"
            items={[
              { label: "Ask for its tools again", icon: "tools", disabled: !enabled, run: () => refreshTools(server) },
              ...(enabled
                ? ([{ label: "Switch off", icon: "off", run: () => setEnabled(server, false) }] as const)
                : []),
              ...(quarantined
                ? []
                : ([{ label: "Quarantine", icon: "shield", run: () => quarantine(server) }] as const)),
              {
                label: "Remove",
                icon: "trash",
                danger: true,
                run: async () => (await remove(server)) && (await go("/servers")),
              },
            ]}
          />
        </>
      }
    >
      <State server={server} />
      <Tabs
        label="Parts of this server"
        base={at("servers", name)}
        current={tab}
        tabs={[
          { id: "tools", title: "Tools", count: waitingOf(server) },
          { id: "log", title: "Log" },
          { id: "settings", title: "Settings" },
          { id: "about", title: "About" },
        ]}
      />
      {tab === "log" ? (
        <ServerLog name={name} />
      ) : tab === "settings" ? (
        <ServerSettings key={name} server={server} />
      ) : tab === "about" ? (
        <About server={server} />
      ) : (
        <ServerTools server={server} />
      )}
    </Page>
  );
}

/** What is the matter with it, and the one thing to do. */
function State({ server }: { server: Server }) {
  const { name, health, enabled, quarantined, last_error, next_attempt_at, trust_mode } = server;
  if (!enabled) return null;
  if (quarantined)
    return (
      <div class="notice warn">
        <Icon name="shield" />
        <p class="grow">
          In quarantine: none of its tools can be called until you release it.{" "}
          {trust_mode === "auto" ? "" : "Look through its tools first; each can be approved by itself afterwards."}
        </p>
      </div>
    );
  const waiting = waitingOf(server);
  if (health.level === "healthy" && waiting > 0)
    return (
      <div class="notice warn">
        <Icon name="wait" />
        <p class="grow">{plural(waiting, "tool")} waiting for your approval before they can be called.</p>
        <a class="button small" href={href(`/approvals?server=${encodeURIComponent(name)}`)}>
          Review
        </a>
      </div>
    );
  if (health.level === "healthy") return null;
  return (
    <div class={`notice ${health.level === "unhealthy" ? "bad" : "warn"}`} role="status">
      <Icon name={health.level === "unhealthy" ? "bad" : "warn"} />
      <div class="grow">
        <strong>{health.summary}</strong>
        <p>{health.detail ?? last_error}</p>
        {next_attempt_at && (
          <p class="hint">
            The next attempt is due <Time at={next_attempt_at} />.
          </p>
        )}
      </div>
      <Remedy server={server} />
    </div>
  );
}

function Remedy({ server }: { server: Server }) {
  const { name, health } = server;
  const to = (tab: string, text: string) => (
    <a class="button small" href={href(at("servers", name, tab))}>
      {text}
    </a>
  );
  switch (health.action) {
    case "login":
      return (
        <Button small kind="main" onClick={() => login(server)}>
          Sign in
        </Button>
      );
    case "restart":
      return (
        <Button small onClick={() => restart(server)}>
          Restart
        </Button>
      );
    case "view_logs":
      return to("log", "Look at the log");
    case "set_secret":
    case "configure":
      return to("settings", "Change its settings");
    default:
      return null;
  }
}

function About({ server }: { server: Server }) {
  const { server_info: info } = server;
  return (
    <div class="columns">
      <Section title="Connection">
        <Facts
          of={[
            ["State", server.status],
            ["Connected", server.connected_at && <Time at={server.connected_at} />],
            ["Connections made anew", server.reconnect_count],
            ["Failed attempts since", server.retry_count],
            ["Last error", server.last_error],
            ["Introduces itself as", info && `${info.title ?? info.name} ${info.version}`],
            ["MCP revision", server.protocol_version],
          ]}
        />
      </Section>
      <Section title="Definition">
        <Facts
          of={[
            ["Kind", server.protocol],
            ["Command", server.command && <code>{[server.command, ...(server.args ?? [])].join(" ")}</code>],
            ["Address", server.url && <code>{server.url}</code>],
            ["Folder", server.working_dir && <code>{server.working_dir}</code>],
            ["Trust", server.trust_mode ?? "manual"],
            ["Added", server.created && <Time at={server.created} />],
            ["Changed", server.updated && <Time at={server.updated} />],
            ["From registry", server.source_registry_id],
          ]}
        />
      </Section>
    </div>
  );
}
