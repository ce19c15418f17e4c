import { useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import type { Server } from "../../parts/health.tsx";
import { Icon } from "../../parts/icon.tsx";
import { duration } from "../../parts/time.tsx";
import { at, href } from "../../route.ts";

interface Called {
  text: string;
  ms: number;
}

/** One call through the proxy: the demo's calculator, or a tool of the person's own that only reads. */
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
  if (!demo) return servers.length === 0 ? null : <OwnTools />;
  return (
    <>
      <div class="row">
        <Button kind={called ? "plain" : "main"} icon="play" disabled={!demo.connected} onClick={run}>
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

/** Tools of the person's own servers that can be tried without harm. */
function OwnTools() {
  const tools = useLive("GET /api/v1/tools", {});
  const ready = (tools.data?.tools ?? []).filter(
    (t) => t.approval_status === "approved" && !t.disabled && !t.config_denied,
  );
  const harmless = ready.filter((t) => t.annotations?.readOnlyHint === true);
  return (
    <>
      <p class="muted">
        Try a tool here, by a form made from its schema, or let your client call one. The first call that goes through
        ends this step.
      </p>
      <div class="row">
        {(harmless.length > 0 ? harmless : ready).slice(0, 3).map((t) => (
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
