import { useEffect, useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { type Server, waitingOf } from "../../parts/health.tsx";
import { Icon } from "../../parts/icon.tsx";
import { duration } from "../../parts/time.tsx";
import { at, href } from "../../route.ts";
import { type Known, suggestions } from "./suggestions.ts";

interface Called {
  text: string;
  ms: number;
}

/** A first call through the proxy: the demo's calculator, or a read-only tool of the user's servers. */
export function FirstCall({ servers }: { servers: readonly Server[] }) {
  const [called, setCalled] = useState<Called>();
  const [wrong, setWrong] = useState<string>();
  const demo = servers.find((s) => s.name === "demo" && s.enabled);
  const run = async () => {
    setWrong(undefined);
    const started = performance.now();
    try {
      const result = await call("POST /api/v1/tools/call", {
        body: { tool_name: "demo:calculator", arguments: { expression: "6 * 7" } },
      });
      const text = result.content?.map((part) => (typeof part.text === "string" ? part.text : "")).join("\n") ?? "";
      setCalled({ text, ms: performance.now() - started });
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  if (!demo) return servers.length === 0 ? null : <OwnTools servers={servers} />;
  return (
    <>
      <div class="row">
        <Button
          kind={called ? "plain" : "main"}
          icon="play"
          blocked={!demo.connected && "The demo server is not connected."}
          onClick={run}
        >
          Ask the calculator for 6 × 7
        </Button>
        {called && (
          <span role="status">
            <code>{called.text}</code> <span class="muted">in {duration(called.ms)}</span>
          </span>
        )}
      </div>
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}

/** Maximum number of servers whose tools are searched for a first call. */
const MAX_SERVERS = 5;

/** Read-only tools of the user's own servers; those without required arguments first. */
function OwnTools({ servers }: { servers: readonly Server[] }) {
  const names = servers
    .filter((s) => s.enabled && !s.quarantined && s.connected)
    .slice(0, MAX_SERVERS)
    .map((s) => s.name);
  const [tools, setTools] = useState<readonly Known[]>([]);
  const approved = servers.reduce((sum, s) => sum + s.tool_count - waitingOf(s), 0);
  useEffect(() => {
    const asking = new AbortController();
    const list = (name: string) => call("GET /api/v1/servers/{name}/tools", { params: { name } }, asking);
    Promise.all(names.map(list)).then(
      (answers) => setTools(answers.flatMap((answer) => answer.tools)),
      () => undefined,
    );
    return () => asking.abort();
  }, [names.join(" "), approved]);
  const suggested = suggestions(tools);
  return (
    <>
      <p class="muted">
        Call a tool here with a form generated from its schema, or from your client. The first successful call completes
        this step.
      </p>
      <div class="row">
        {suggested.map((t) => (
          <a key={`${t.server_name} ${t.name}`} class="button" href={href(at("tools", t.server_name, t.name))}>
            <Icon name="play" />
            {t.name}
          </a>
        ))}
        <a class="button bare" href={href("/tools")}>
          All tools
        </a>
      </div>
    </>
  );
}
