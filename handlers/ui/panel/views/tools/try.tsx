import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { useShortcuts } from "../../keys.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { initial, missing, type Schema, SchemaForm, type Values, ValuesAsJson } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { duration } from "../../parts/time.tsx";
import { type Answered, ToolResult } from "./result.tsx";

/** A tool with its schemas. */
export type Defined = Data<"GET /api/v1/servers/{name}/tools">["tools"][number];

type State =
  | { is: "ready" }
  | { is: "running" }
  | { is: "answered"; result: Answered; ms: number }
  | { is: "refused"; reason: string };

/** A form to call a tool with the rights of the signed-in user; destructive tools need a confirmation. */
export function Try({ server, tool }: { server: string; tool: Defined }) {
  const schema = tool.schema as Schema;
  const [values, setValues] = useState<Values>(() => initial(schema));
  const [state, setState] = useState<State>({ is: "ready" });
  const [raw, setRaw] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const lacks = missing(schema, values);
  const destroys = tool.annotations?.destructiveHint === true;
  const reasonId = useId();
  const why =
    whyNot(tool) ??
    (state.is === "running" ? "The call is running." : lacks.length > 0 && `Required: ${lacks.join(", ")}`);
  const run = async () => {
    if (why) return;
    const sure =
      !destroys ||
      (await confirm({
        title: `Call ${tool.name}?`,
        consequence: `${server} marks this tool as destructive. This makes a real call, and the proxy cannot undo it.`,
        verb: `Call ${tool.name}`,
        danger: true,
      }));
    if (!sure) return;
    const calling = new AbortController();
    running.current = calling;
    setState({ is: "running" });
    const started = performance.now();
    try {
      const body = { tool_name: `${server}:${tool.name}`, arguments: values };
      const result = await call("POST /api/v1/tools/call", { body }, { signal: calling.signal });
      setState({ is: "answered", result, ms: performance.now() - started });
    } catch (error) {
      setState(calling.signal.aborted ? { is: "ready" } : { is: "refused", reason: reasonOf(error) });
    }
  };
  useShortcuts([{ keys: "mod+enter", label: "Call the tool", run: () => void run(), always: true }]);
  return (
    <Section
      title="Try it"
      actions={
        state.is === "running" ? (
          <Button small onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        ) : (
          <Button small kind="bare" icon="code" pressed={raw} onClick={() => setRaw(!raw)}>
            Edit as JSON
          </Button>
        )
      }
    >
      <div class="stack">
        {raw ? (
          <ValuesAsJson values={values} onValues={setValues} />
        ) : (
          <SchemaForm schema={schema} values={values} onValues={setValues} />
        )}
        <div class="row">
          <Button
            kind={destroys ? "bad" : "main"}
            icon="play"
            blocked={why}
            reasonId={reasonId}
            onClick={() => void run()}
          >
            {state.is === "running" ? "Calling …" : "Call"}
          </Button>
          <span class="hint" id={reasonId}>
            {why || "This makes a real call, which the activity log records. Ctrl Enter"}
          </span>
        </div>
        <div class="stack tight">
          <div role="status" class="row">
            {state.is === "answered" && (
              <>
                {state.result.isError ? <Badge tone="bad">The tool failed</Badge> : <Badge tone="ok">Succeeded</Badge>}
                <span class="muted">in {duration(state.ms)}</span>
              </>
            )}
          </div>
          {state.is === "answered" && <ToolResult result={state.result} />}
          {state.is === "refused" && (
            <p class="notice bad" role="alert">
              <Icon name="bad" />
              <span class="grow">{state.reason}</span>
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}

/** Why a tool cannot be called at present. */
function whyNot(tool: Defined): string | undefined {
  if (tool.config_denied) return "The configuration of its server excludes it.";
  if (tool.approval_status !== "approved") return "The tool is not approved.";
  return tool.disabled ? "The tool is disabled." : undefined;
}
