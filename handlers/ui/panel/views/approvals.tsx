import { useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { dangerFirst, isDangerous, type Standing, useStandings } from "../parts/danger.ts";
import { Visible } from "../parts/diff.tsx";
import { dangerRank } from "../parts/findings.tsx";
import { HealthBadge, type Server, troubleOf } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { plural } from "../parts/time.tsx";
import { at, href, usePlace } from "../route.ts";
import { remove } from "../server-actions.ts";
import { ServerRemedy } from "../server-remedy.tsx";
import { Decision } from "../trust/decision.tsx";
import { commandLine } from "../trust/launch.tsx";
import { WAITING } from "./approvals/decide.tsx";
import { WaitingItems } from "./approvals/items.tsx";
import { PendingTools } from "./approvals/pending-tools.tsx";

const names = new Intl.Collator("en", { numeric: true });

/** Pending decisions: servers in quarantine; new and changed tools, prompts and resources. */
export default function Approvals() {
  const tools = useLive("GET /api/v1/tools", WAITING);
  const servers = useLive("GET /api/v1/servers", {});
  const { query } = usePlace();
  const only = query.get("server") ?? "";
  return (
    <Page title="Approvals" about="No client can use a new or changed tool, prompt or template until you approve it.">
      <Shown of={servers}>
        {({ servers: all }) => {
          const inQuarantine = all.filter((s) => s.quarantined && s.enabled && (only === "" || s.name === only));
          return inQuarantine.length === 0 ? null : <Quarantined servers={inQuarantine} />;
        }}
      </Shown>
      <Shown of={tools}>
        {({ tools: all }) => {
          // Tools of a quarantined server are decided with its release, but the filter by server shows them too.
          const isElsewhere = (s: Server) => !s.enabled || (only === "" && s.quarantined);
          const elsewhere = new Set(servers.data?.servers.filter(isElsewhere).map((s) => s.name));
          const waiting = all
            .filter((t) => !elsewhere.has(t.server_name) && (only === "" || t.server_name === only))
            .sort(
              (a, b) =>
                dangerRank(a.scan) - dangerRank(b.scan) ||
                names.compare(a.server_name, b.server_name) ||
                names.compare(a.name, b.name),
            );
          return (
            <PendingTools
              waiting={waiting}
              only={only}
              quiet={servers.data?.servers.some((s) => s.quarantined) ?? false}
            />
          );
        }}
      </Shown>
      <WaitingItems only={only} servers={servers.data?.servers} />
    </Page>
  );
}

/**
 * Dangerous servers come first. A server can be released after it has listed tools; otherwise the error and a remedy
 * are shown.
 */
function Quarantined({ servers }: { servers: readonly Server[] }) {
  const standings = useStandings();
  return (
    <Section title="Servers in quarantine" flush>
      <ul class="lines" aria-label="Servers in quarantine">
        {dangerFirst(servers, standings).map((s) => (
          <QuarantinedServer key={s.name} server={s} standing={standings.get(s.name)} />
        ))}
      </ul>
    </Section>
  );
}

function QuarantinedServer({ server, standing }: { server: Server; standing: Standing | undefined }) {
  const { name, command, args = [], url, tool_count, health } = server;
  const dangerous = isDangerous(standing);
  const failed = health.level !== "healthy";
  return (
    <li class={dangerous || health.level === "unhealthy" ? "bad" : ""}>
      <Icon name={dangerous || failed ? "bad" : "shield"} />
      <div class="grow">
        <a class="name" href={href(at("servers", name))}>
          {name}
        </a>{" "}
        <HealthBadge server={server} standing={standing} />{" "}
        {tool_count > 0 && (
          <a href={href(`/approvals?server=${encodeURIComponent(name)}`)}>{plural(tool_count, "tool")}</a>
        )}
        {(dangerous || failed || (tool_count === 0 && health.action !== "approve")) && (
          <p class="muted">{troubleOf(server, standing)}</p>
        )}
        <code class="block-code muted">
          <Visible text={url ?? commandLine(command === undefined ? [] : [command, ...args])} />
        </code>
      </div>
      <div class="row">
        {dangerous && (
          <a class="button small main" href={href(at("security", "servers", name))}>
            Review the scan
          </a>
        )}
        {failed && <ServerRemedy server={server} />}
        <Decision small server={server} standing={standing} />
        <Button small onClick={() => remove(server)}>
          Remove
        </Button>
      </div>
    </li>
  );
}
