import { call, type Data, reasonOf } from "../api.ts";
import { fresh, useLive } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Copy, Snippet } from "../parts/copy.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Mark } from "../parts/mark.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { duration, plural, Time } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { href } from "../route.ts";

type Info = Data<"GET /api/v1/info">;

const CHANNELS: Record<NonNullable<Info["update"]>["install_channel"], string> = {
  pkgmgr: "by a package manager",
  dmg: "as an application",
  deb: "as a Debian package",
  rpm: "as an RPM package",
  container: "in a container",
  "go-install": "from source",
  "windows-installer": "by the Windows installer",
  tarball: "from an archive",
  unknown: "by an unknown method",
};

/** Version, updates and paths of the proxy. */
export default function About() {
  const info = useLive("GET /api/v1/info", {});
  const diagnostics = useLive("GET /api/v1/diagnostics", {});
  return (
    <Page title="About">
      <Shown of={info} lines={3}>
        {(found) => <Version info={found} />}
      </Shown>
      <div class="columns">
        <Section title="This proxy">
          <Shown of={diagnostics}>
            {({ program: p }) => (
              <Facts
                of={[
                  ["Uptime", duration(p.uptime * 1000)],
                  ["Address", p.listen_addr && <Place text={p.listen_addr} />],
                  ["Local socket", p.socket && <Place text={p.socket} />],
                  ["Configuration", p.config_path && <Place text={p.config_path} />],
                  ["Executable", p.executable && <Place text={p.executable} />],
                  ["Mode of /mcp", p.routing_mode],
                  ["Memory", `${Math.round(p.memory_mb)} MB`],
                  ["System", `${p.platform} ${p.arch}, Node ${p.node}`],
                  ["Process", p.pid],
                ]}
              />
            )}
          </Shown>
        </Section>
        <div class="stack">
          <Containers />
          <Section title="Documentation">
            <ul class="links">
              <Read
                to="/docs/guide/"
                icon="about"
                title="Guide"
                about="every page of the documentation, with a search"
              />
              <Read to="/docs/" icon="code" title="API reference" about="every endpoint, with a form to call it" />
              <Read to="/docs/spec.json" icon="download" title="OpenAPI document" about="for client generators" />
              <Read
                to={href("/doctor")}
                icon="doctor"
                title="Doctor"
                about="problems that the proxy detects, with remedies"
                own
              />
            </ul>
          </Section>
        </div>
      </div>
    </Page>
  );
}

function Place({ text }: { text: string }) {
  return (
    <span class="row tight">
      <code>{text}</code>
      <Copy text={text} />
    </span>
  );
}

function Read(props: { to: string; icon: IconName; title: string; about: string; own?: boolean }) {
  return (
    <li>
      <a href={props.to} {...(!props.own && { target: "_blank", rel: "noopener" })}>
        <Icon name={props.icon} /> {props.title}
      </a>{" "}
      <span class="muted">{props.about}</span>
    </li>
  );
}

/** The version, and newer releases. */
function Version({ info }: { info: Info }) {
  const { version, update, update_policy: policy } = info;
  const look = async () => {
    try {
      await call("GET /api/v1/info", { query: { refresh: "true" } });
    } catch (error) {
      toast(reasonOf(error), { tone: "bad" });
    }
    await fresh("GET /api/v1/info", {});
  };
  const release = update?.release_url;
  return (
    <section class="hero">
      <Mark size={40} />
      <div class="grow">
        <h2>
          proxy {version}{" "}
          {update?.available ? (
            <Badge tone="warn">{update.latest_version} is available</Badge>
          ) : (
            update && !update.check_error && <Badge tone="ok">Up to date</Badge>
          )}
        </h2>
        <p class="muted">
          {!policy.enabled
            ? "Automatic update checks are off (update_check in the configuration)."
            : !update
              ? "The proxy has not checked for updates yet."
              : update.check_error
                ? `The last update check failed: ${update.check_error}`
                : update.available
                  ? (update.behind_summary ?? `${plural(update.releases_behind ?? 1, "release")} behind`)
                  : "You have the latest version."}{" "}
          {update && (
            <>
              Installed {CHANNELS[update.install_channel]}. Checked <Time at={update.checked_at} />.
            </>
          )}
        </p>
        {update?.available && update.update_command && <Snippet label="update command" text={update.update_command} />}
      </div>
      <div class="row">
        {update?.available && release && /^https:\/\//.test(release) && (
          <a class="button" href={release} target="_blank" rel="noopener noreferrer">
            Release notes <Icon name="external" size={12} />
          </a>
        )}
        {policy.enabled && (
          <Button icon="refresh" onClick={look}>
            Check for updates
          </Button>
        )}
      </div>
    </section>
  );
}

/** Whether container isolation is available. */
function Containers() {
  const status = useLive("GET /api/v1/container/status", {});
  return (
    <Section title="Containers">
      <Shown of={status} lines={2}>
        {(s) => (
          <Facts
            of={[
              [
                "Engine",
                s.container_available ? (
                  <Badge tone="ok">{s.engine ?? "available"}</Badge>
                ) : (
                  <Badge tone={s.isolation_enabled ? "bad" : "off"}>
                    {s.recovery_mode ? "Lost; reconnecting" : "None"}
                  </Badge>
                ),
              ],
              ["Isolation", s.isolation_enabled ? "on: local servers run in containers" : "off"],
              ["Error", !s.container_available && s.isolation_enabled && s.last_error],
              ["Checked", s.last_attempt && <Time at={s.last_attempt} />],
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
