import { useEffect, useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { fresh, refresh } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useStandings } from "../../parts/danger.ts";
import { Visible } from "../../parts/diff.tsx";
import { HealthBadge, type Server, troubleOf } from "../../parts/health.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, href } from "../../route.ts";
import { ServerRemedy } from "../../server-remedy.tsx";
import { Decision } from "../../trust/decision.tsx";
import { type Harmless, harmlessOf } from "../../trust/harmless.ts";
import { isReleasable, release } from "../../trust/release.tsx";
import { listedOf } from "../../trust/review.tsx";
import type { Listed } from "../../trust/review-decision.ts";
import { isSettled } from "./survey.ts";

/** The imported servers in quarantine with what they list; the harmless part is approved at once. */
export function ReviewServers({ servers, isNow }: { servers: readonly Server[]; isNow: boolean }) {
  const [seen, setSeen] = useState<ReadonlyMap<string, Listed>>(new Map());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const ready = servers.filter(isReleasable);
  const loaded = ready.flatMap((server) => {
    const listed = seen.get(server.name);
    return listed ? [{ name: server.name, harmless: harmlessOf(listed) }] : [];
  });
  // A server with severe findings is released only if the person selects it.
  const isChosen = ({ name, harmless }: (typeof loaded)[number]) => left.has(name) === isRisky(harmless);
  const chosen = loaded.filter(isChosen);
  const toolCount = chosen.reduce((sum, { harmless }) => sum + harmless.tools.length, 0);
  const starting = servers.filter((server) => !isSettled(server)).length;
  return (
    <>
      <ul class="choices tools" aria-label="Servers to review">
        {servers.map((server) => {
          const one = loaded.find(({ name }) => name === server.name);
          return isReleasable(server) ? (
            <Ready
              key={server.name}
              server={server}
              harmless={one?.harmless}
              listed={seen.get(server.name)}
              isChosen={one !== undefined && isChosen(one)}
              onToggle={() => setLeft(toggled(left, server.name))}
              onListed={(listed) => setSeen((old) => new Map(old).set(server.name, listed))}
            />
          ) : (
            <NotReady key={server.name} server={server} />
          );
        })}
      </ul>
      {ready.length > 0 && (
        <div class="row">
          <Button
            kind={isNow ? "main" : "plain"}
            icon="shield"
            blocked={
              loaded.length < ready.length
                ? "The tools are being loaded."
                : chosen.length === 0 && "Select a server first."
            }
            onClick={() => releaseAll(chosen)}
          >
            Approve {plural(toolCount, "tool")} and release {plural(chosen.length, "server")}
          </Button>
          <span class="hint">
            {starting > 0
              ? `${plural(starting, "server is", "servers are")} still starting.`
              : "Tools with severe findings stay blocked in any case."}
          </span>
        </div>
      )}
    </>
  );
}

const isRisky = ({ left, isSuspect }: Harmless) => isSuspect || left.length > 0;

function toggled(names: ReadonlySet<string>, name: string): Set<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** A server that has listed its tools: what a release approves, and what it leaves. */
function Ready(props: {
  server: Server;
  harmless: Harmless | undefined;
  listed: Listed | undefined;
  isChosen: boolean;
  onToggle(): void;
  onListed(listed: Listed): void;
}) {
  const { server, harmless, listed, isChosen, onToggle, onListed } = props;
  const { name, tool_count } = server;
  const [wrong, setWrong] = useState<string>();
  // What the server lists after this was loaded has another pin, and the release leaves it pending.
  useEffect(() => {
    listedOf(name, "release").then(onListed, (error) => setWrong(reasonOf(error)));
  }, [name, tool_count]);
  return (
    <li class={harmless && isRisky(harmless) ? "grave" : ""}>
      <div class="row">
        <label class="grow">
          <input type="checkbox" checked={isChosen} disabled={!harmless} onChange={onToggle} />
          <span class="name">{name}</span>
          {harmless && (
            <span class="muted">
              {plural(harmless.tools.length, "tool")} to approve
              {harmless.itemCount > 0 &&
                `, ${plural(harmless.itemCount, "prompt or resource", "prompts and resources")}`}
            </span>
          )}
        </label>
        <Button small onClick={() => release(server)}>
          Review one by one
        </Button>
      </div>
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      {harmless && harmless.tools.length > 0 && (
        <p>
          <Visible text={harmless.tools.join(", ")} />
        </p>
      )}
      {harmless?.left.map((tool) => (
        <p key={tool.name} class="error">
          Stays pending: <Visible text={tool.name} /> ({tool.why})
        </p>
      ))}
      {listed && (
        <details>
          <summary>Descriptions</summary>
          <dl class="facts">
            {listed.tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <Visible text={tool.name} />
                </dt>
                <dd class="pre">
                  <Visible text={tool.description} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

/** A server that starts, or that does not work yet, with the remedy. */
function NotReady({ server }: { server: Server }) {
  const standing = useStandings().get(server.name);
  return (
    <li>
      <div class="row">
        <a class="name" href={href(at("servers", server.name))}>
          {server.name}
        </a>
        {isSettled(server) ? <HealthBadge server={server} standing={standing} /> : <Badge tone="info">Starting</Badge>}
        <span class="grow" />
        <ServerRemedy server={server} />
        <Decision small server={server} standing={standing} />
      </div>
      {isSettled(server) && <p class="muted">{troubleOf(server, standing)}</p>}
    </li>
  );
}

/** Releases the servers with exactly what was shown, and offers to undo it. */
async function releaseAll(chosen: readonly { name: string; harmless: Harmless }[]): Promise<void> {
  const released: string[] = [];
  const failed: string[] = [];
  let approved = 0;
  for (const { name, harmless } of chosen) {
    const params = { name };
    try {
      const { release: done } = await call("POST /api/v1/servers/{name}/unquarantine", {
        params,
        body: harmless.decision,
      });
      released.push(name);
      approved += done.approved.length;
    } catch (error) {
      failed.push(`${name}: ${reasonOf(error)}`);
    }
  }
  if (released.length > 0)
    toast(`${plural(released.length, "server")} released, ${plural(approved, "tool")} approved`, {
      label: "Undo",
      run: async () => {
        for (const name of released) await call("POST /api/v1/servers/{name}/quarantine", { params: { name } });
        await fresh("GET /api/v1/servers", {});
      },
    });
  if (failed.length > 0) toast(`Not released: ${failed.join("; ")}`, { tone: "bad" });
  refresh(/servers|status|tools|prompts|resource|security|doctor/);
  await fresh("GET /api/v1/servers", {});
}
