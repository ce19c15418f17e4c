import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { isDangerous, type Standing, useStandings } from "../parts/danger.ts";
import { HealthBadge, type Server, waitingItemsOf, waitingOf } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { listed, plural, sentence, Time } from "../parts/time.tsx";
import { at, go, href } from "../route.ts";
import { quarantine, refreshTools, remove, restart, setEnabled } from "../server-actions.ts";
import { ServerRemedy } from "../server-remedy.tsx";
import { Decision } from "../trust/decision.tsx";
import { Launch } from "../trust/launch.tsx";
import { isReleasable } from "../trust/release.tsx";
import { ServerItems } from "./servers/items.tsx";
import { ServerLog } from "./servers/log.tsx";
import { ServerSettings } from "./servers/settings/settings.tsx";
import { ServerTools } from "./servers/tools.tsx";

/** One server: its state, tools, prompts and resources, log and settings. */
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
        <Empty icon="servers" title={`Server "${name}" not found`} action={<a href={href("/servers")}>All servers</a>}>
          It may have been removed or renamed.
        </Empty>
      </Section>
    </Page>
  );
}

function Found({ server, tab }: { server: Server; tab: string }) {
  const { name, enabled, quarantined, held, health } = server;
  const standing = useStandings().get(name);
  return (
    <Page
      title={name}
      crumbs={[["Servers", "/servers"]]}
      aside={<HealthBadge server={server} standing={standing} />}
      actions={
        <>
          {!held && <Decision server={server} standing={standing} />}
          {enabled ? (
            !held &&
            health.action !== "restart" && (
              <Button icon="refresh" onClick={() => restart(server)}>
                Restart
              </Button>
            )
          ) : (
            <Button kind="main" icon="play" onClick={() => setEnabled(server, true)}>
              Enable
            </Button>
          )}
          <Menu
            label="More"
            items={[
              {
                label: "Refresh tools",
                icon: "tools",
                blocked: (!enabled && "The server is disabled.") || (held === true && "Confirm the server first."),
                run: () => refreshTools(server),
              },
              ...(enabled ? ([{ label: "Disable", icon: "off", run: () => setEnabled(server, false) }] as const) : []),
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
      <State server={server} standing={standing} />
      <Tabs
        label="Parts of this server"
        base={at("servers", name)}
        current={tab}
        tabs={[
          { id: "tools", title: "Tools", count: waitingOf(server) },
          { id: "items", title: "Prompts and resources", count: waitingItemsOf(server) },
          { id: "log", title: "Log" },
          { id: "settings", title: "Settings" },
          { id: "about", title: "About" },
        ]}
      />
      {tab === "items" ? (
        <ServerItems server={server} />
      ) : tab === "log" ? (
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

/** The server's problems, the most urgent first, each with its remedy. */
function State({ server, standing }: { server: Server; standing: Standing | undefined }) {
  const { name, health, enabled, quarantined, held } = server;
  if (!enabled) return null;
  const waiting = waitingOf(server);
  const waitingItems = waitingItemsOf(server);
  return (
    <>
      {isDangerous(standing) && <Danger server={server} standing={standing} />}
      {held && <HeldNotice server={server} />}
      {!held && health.level !== "healthy" && <Trouble server={server} />}
      {quarantined && !held && <Quarantined server={server} />}
      {!quarantined && waiting > 0 && (
        <div class="notice warn">
          <Icon name="wait" />
          <p class="grow">
            {plural(waiting, "tool")} {waiting === 1 ? "waits" : "wait"} for your approval. Until then no client can
            call {waiting === 1 ? "it" : "them"}.
          </p>
          <a class="button small" href={href(`/approvals?server=${encodeURIComponent(name)}`)}>
            Review
          </a>
        </div>
      )}
      {!quarantined && waitingItems > 0 && (
        <div class="notice warn">
          <Icon name="wait" />
          <p class="grow">
            {plural(waitingItems, "prompt or resource", "prompts and resources")}{" "}
            {waitingItems === 1 ? "waits" : "wait"} for your approval. Until then no client can use{" "}
            {waitingItems === 1 ? "it" : "them"}.
          </p>
          <a class="button small" href={href(at("servers", name, "items"))}>
            Review
          </a>
        </div>
      )}
    </>
  );
}

/** The scan result with the findings of the most dangerous tools. */
function Danger({ server: { name }, standing }: { server: Server; standing: Standing }) {
  const tools = useLive("GET /api/v1/servers/{name}/tools", { params: { name } });
  const worst = tools.data?.tools.filter((t) => t.scan?.verdict === "dangerous") ?? [];
  return (
    <div class="notice bad" role="status">
      <Icon name="bad" />
      <div class="grow stack tight">
        <strong>The scan rates this server dangerous</strong>
        <p>
          {plural(standing.findings, "finding")}, risk {standing.risk_score} of 100.
          {worst.length > 0 &&
            ` Dangerous: ${listed(worst.slice(0, 5).map((t) => t.name))}${worst.length > 5 ? " and others" : ""}.`}
        </p>
      </div>
      <a class="button small main" href={href(at("security", "servers", name))}>
        Review the scan
      </a>
    </div>
  );
}

function HeldNotice({ server }: { server: Server }) {
  return (
    <div class="notice warn" role="status">
      <Icon name="shield" />
      <div class="grow">
        <strong>{server.health.summary}</strong>
        <p>{sentence(server.health.detail ?? "")}. Read what it runs or contacts before you confirm it.</p>
      </div>
      <Decision small server={server} standing={undefined} />
    </div>
  );
}

function Trouble({ server }: { server: Server }) {
  const { health, last_error, next_attempt_at } = server;
  const detail = health.detail ?? last_error;
  // The summary is the truncated error, which is shown in full below.
  const isShortened = detail?.startsWith(health.summary.replace(/(?:\.\.\.|…)$/, "")) && detail !== health.summary;
  return (
    <div class={`notice ${health.level === "unhealthy" ? "bad" : "warn"}`} role="status">
      <Icon name={health.level === "unhealthy" ? "bad" : "warn"} />
      <div class="grow">
        <strong>{isShortened ? "The server is unhealthy" : sentence(health.summary)}</strong>
        {detail !== undefined && detail !== health.summary && <p>{sentence(detail)}</p>}
        {next_attempt_at && (
          <p class="hint">
            Next attempt: <Time at={next_attempt_at} />
          </p>
        )}
      </div>
      <ServerRemedy server={server} />
    </div>
  );
}

function Quarantined({ server }: { server: Server }) {
  const { health } = server;
  return (
    <div class="notice warn">
      <Icon name="shield" />
      <p class="grow">
        In quarantine: no client can use what it offers.{" "}
        {isReleasable(server)
          ? "When you release it, you choose what to approve; the rest stays pending."
          : health.level === "healthy"
            ? "The server has not listed anything yet, so there is nothing to release."
            : "You can release it when it is connected and has listed what it offers."}
      </p>
    </div>
  );
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
            ["Reconnections", server.reconnect_count],
            ["Failed attempts since", server.retry_count],
            ["Last error", server.last_error],
            ["Server info", info && `${info.title ?? info.name} ${info.version}`],
            ["MCP protocol version", server.protocol_version],
          ]}
        />
      </Section>
      <Section title="Definition">
        <Facts
          of={[
            ["Transport", server.protocol],
            ["Approval of tools", server.trust_mode ?? "manual"],
            ["Added", server.created && <Time at={server.created} />],
            ["Changed", server.updated && <Time at={server.updated} />],
          ]}
        />
        <Launch server={server} />
      </Section>
    </div>
  );
}
