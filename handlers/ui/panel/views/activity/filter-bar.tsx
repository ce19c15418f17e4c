import { useEffect, useState } from "preact/hooks";
import { useDebounced } from "../../debounced.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Segments } from "../../parts/filter.tsx";
import { setQuery } from "../../route.ts";
import { PERIODS, type Period, SEVERITIES } from "./filters.ts";
import { STATUS, TYPES } from "./labels.ts";

/** The filters of the records; each choice is stored in the URL. */
export function FilterBar({ query, filtered }: { query: URLSearchParams; filtered: boolean }) {
  const servers = useLive("GET /api/v1/servers", {});
  const sessions = useLive("GET /api/v1/sessions", {});
  const said = (name: string) => query.get(name) ?? "";
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    setQuery({ [name]: event.currentTarget.value });
  const names = (servers.data?.servers ?? []).map((s) => s.name);
  if (said("server") && !names.includes(said("server"))) names.push(said("server"));
  const clients = new Set((sessions.data?.sessions ?? []).map((s) => s.client_name).filter(Boolean));
  if (said("client")) clients.add(said("client"));
  const pick = (name: string, label: string, any: string, options: readonly (readonly [string, string])[]) => (
    <select class="input" aria-label={label} value={said(name)} onChange={set(name)}>
      <option value="">{any}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <div class="filters dense" role="search">
      <Segments
        label="Period"
        value={said("period") || "all"}
        options={(Object.keys(PERIODS) as Period[]).map((p) => ({ value: p, text: PERIODS[p][0] }))}
        onValue={(p) => setQuery({ period: p === "all" ? "" : p })}
      />
      {pick("type", "Event type", "All types", Object.entries(TYPES))}
      {pick(
        "server",
        "Server",
        "All servers",
        names.map((n) => [n, n]),
      )}
      {clients.size > 0 &&
        pick(
          "client",
          "Client",
          "All clients",
          [...clients].sort().map((n) => [n, n]),
        )}
      {pick(
        "status",
        "Status",
        "Any status",
        Object.entries(STATUS).map(([value, [word]]) => [value, word]),
      )}
      {pick("sensitive", "Sensitive data", "All records", [
        ["any", "Sensitive data found"],
        ...SEVERITIES.map((s) => [s, `Found, ${s}`] as const),
      ])}
      <ToolName value={said("tool")} />
      {["session", "request", "parent"].map(
        (name) =>
          said(name) && (
            <Button
              key={name}
              small
              icon="close"
              label={`Remove the filter ${name}`}
              onClick={() => setQuery({ [name]: "" })}
            >
              {name} {said(name).slice(0, 10)}…
            </Button>
          ),
      )}
      {filtered && (
        <Button small kind="bare" onClick={() => setQuery(Object.fromEntries([...query.keys()].map((k) => [k, ""])))}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** Filters by a complete name, because the proxy matches it exactly. */
function ToolName({ value }: { value: string }) {
  const tools = useLive("GET /api/v1/tools", { query: { fields: "name" } });
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const settled = useDebounced(text, 350);
  useEffect(() => {
    if (settled === text && settled !== value) setQuery({ tool: settled });
  }, [settled]);
  return (
    <>
      <input
        class="input"
        list="activity-tools"
        aria-label="Tool"
        placeholder="Tool"
        size={9}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
      />
      <datalist id="activity-tools">
        {[...new Set((tools.data?.tools ?? []).map((t) => t.name))].sort().map((n) => (
          <option key={n} value={n} />
        ))}
      </datalist>
    </>
  );
}
