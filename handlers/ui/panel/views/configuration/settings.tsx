import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type Data, Refused, reasonOf } from "../../api.ts";
import { useDebounced } from "../../debounced.ts";
import { act, refresh, useLive } from "../../live.ts";
import { Switch } from "../../parts/field.tsx";
import { Search } from "../../parts/filter.tsx";
import { type Schema, SchemaForm, type Values } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { keyLabel } from "../../parts/key-label.ts";
import { Section } from "../../parts/page.tsx";
import { SaveBar, useUnsaved } from "../../parts/save-bar.tsx";
import { Empty } from "../../parts/states.tsx";
import { plural, sentence } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { setQuery, usePlace } from "../../route.ts";
import { ChangedSettings } from "./changed.tsx";
import { differences, without } from "./differences.ts";
import { grouped } from "./groups.ts";
import { patchBetween } from "./patch.ts";

type Shown = Data<"GET /api/v1/config">;
interface Problem {
  field: string;
  message: string;
}

/** All keys of the configuration, by subject, with their descriptions; validated while they are edited. */
export function Settings({ shown, schema, restart }: { shown: Shown; schema: Schema; restart: readonly string[] }) {
  const { query } = usePlace();
  const find = query.get("find") ?? "";
  const before = shown.config as Values;
  const [draft, setDraft] = useState<Values>();
  const values = draft ?? before;
  const patch = useMemo(() => patchBetween(before, values), [before, values]);
  const changed = Object.keys(patch);
  const problems = useProblems(values, changed);
  const errors = useMemo(() => Object.fromEntries(problems.map((p) => [p.field, p.message])), [problems]);
  useUnsaved(changed.length > 0 ? `Unsaved changes are lost: ${changed.join(", ")}.` : undefined);

  const properties = schema.properties ?? {};
  const said = (key: string): Schema => {
    const own = properties[key] ?? {};
    const notes = [
      own.description && sentence(own.description),
      restart.includes(key) && "takes effect at the next start",
      key in shown.overrides && "overridden by the environment or command line",
    ].filter(Boolean);
    return { ...own, description: `${notes.join("; ")} · \`${key}\`` };
  };
  const fits = (key: string) =>
    `${key} ${JSON.stringify(properties[key] ?? {})}`.toLowerCase().includes(find.toLowerCase().trim());
  const all = grouped(Object.keys(properties));
  const subjectOf = (key: string) => all.find(([, keys]) => keys.includes(key))?.[0] ?? "";
  const differing = differences(
    values,
    schema,
    all.flatMap(([, keys]) => keys),
  );
  const isSearch = find.trim() !== "";
  const chosen = all.find(([title]) => title === query.get("group"));
  // A search covers all keys; otherwise one subject is shown at a time, at first what differs from the defaults.
  const groups = isSearch ? grouped(Object.keys(properties).filter(fits)) : chosen ? [chosen] : [];
  const set = (keys: readonly string[], own: Values) =>
    setDraft({
      ...Object.fromEntries(Object.entries(values).filter(([k]) => !keys.includes(k))),
      ...own,
    });

  const save = async () => {
    try {
      const done = await call("PATCH /api/v1/config", { body: patch }, { revision: shown.revision });
      toast(done.message);
      setDraft(undefined);
      refresh(/config|status|servers|routing/);
    } catch (error) {
      const moved = error instanceof Refused && error.code === "changed_meanwhile";
      toast(moved ? "the configuration was changed in the meantime; review it and save again" : reasonOf(error), {
        tone: "bad",
      });
      if (moved) refresh(/config/);
    }
  };
  return (
    <>
      <div class="filters" role="search">
        <Search label="Search the settings" value={find} onValue={(find) => setQuery({ find })} />
      </div>
      <div class="settings">
        <ul class="subjects" aria-label="Subjects">
          <li>
            <button
              type="button"
              aria-current={isSearch || chosen ? undefined : "true"}
              onClick={() => setQuery({ group: "", find: "" })}
            >
              Changed settings
              <span class="muted">{differing.length}</span>
            </button>
          </li>
          {all.map(([title, keys]) => (
            <li key={title}>
              <button
                type="button"
                aria-current={!isSearch && title === chosen?.[0] ? "true" : undefined}
                onClick={() => setQuery({ group: title, find: "" })}
              >
                {title}
                {keys.some((k) => changed.includes(k)) && (
                  <span class="dot">
                    <span class="unsaid">changed</span>
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
        <div class="stack">
          {!isSearch && !chosen && (
            <ChangedSettings
              differences={differing}
              subjectOf={subjectOf}
              onReset={(path) => setDraft(without(values, path))}
            />
          )}
          {isSearch && groups.length === 0 && (
            <Section>
              <Empty icon="search" title="No settings match" />
            </Section>
          )}
          {groups.map(([title, keys]) => (
            <Section key={title} title={title}>
              <div class="stack">
                {title === "Isolation" && <Isolation shown={shown} dirty={changed.includes("docker_isolation")} />}
                <SchemaForm
                  schema={{ type: "object", properties: Object.fromEntries(keys.map((k) => [k, said(k)])) }}
                  values={Object.fromEntries(keys.filter((k) => k in values).map((k) => [k, values[k]]))}
                  onValues={(own) => set(keys, own)}
                  errors={errors}
                  labelOf={keyLabel}
                  omitted="default"
                />
              </div>
            </Section>
          ))}
        </div>
      </div>
      {changed.length > 0 && (
        <SaveBar
          blocked={problems.length > 0 && "A setting is not valid."}
          onDiscard={() => setDraft(undefined)}
          onSave={save}
        >
          {problems.length > 0 ? (
            <ul>
              {problems.map((p) => (
                <li key={`${p.field} ${p.message}`} class="error">
                  <strong>{p.field}</strong> {p.message}
                </li>
              ))}
            </ul>
          ) : (
            <>
              {plural(changed.length, "change")}: {changed.join(", ")}
              {changed.some((k) => restart.includes(k)) && (
                <span class="muted"> (some take effect at the next start)</span>
              )}
            </>
          )}
        </SaveBar>
      )}
    </>
  );
}

/** Validates the edited values with the proxy. */
function useProblems(values: Values, changed: readonly string[]): readonly Problem[] {
  const document = useMemo(
    () => JSON.stringify(Object.fromEntries(changed.filter((k) => k in values).map((k) => [k, values[k]]))),
    [values, changed.join()],
  );
  const settled = useDebounced(document, 250);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useEffect(() => {
    if (settled === "{}") return setProblems([]);
    const asking = new AbortController();
    call("POST /api/v1/config/validate", { body: JSON.parse(settled) }, { signal: asking.signal }).then(
      ({ errors }) => setProblems(errors),
      // Saving validates again and reports errors.
      () => {},
    );
    return () => asking.abort();
  }, [settled]);
  return problems;
}

/** The switch for container isolation, which takes effect without saving. */
function Isolation({ shown, dirty }: { shown: Shown; dirty: boolean }) {
  const engine = useLive("GET /api/v1/container/status", {});
  const on = (shown.config.docker_isolation as { enabled?: boolean } | undefined)?.enabled === true;
  const route = "PATCH /api/v1/config/container-isolation" as const;
  const set = async (enabled: boolean) => {
    await act(
      route,
      { body: { enabled } },
      {
        done: `Isolation is ${enabled ? "enabled" : "disabled"}`,
        undo: async () => {
          await call(route, { body: { enabled: !enabled } });
          refresh(/config|container/);
        },
      },
    );
    refresh(/config|container/);
  };
  const { container_available: there, engine: name, last_error: why } = engine.data ?? {};
  return (
    <div class="stack tight">
      <Switch
        label="Run local servers in isolation"
        hint="Takes effect immediately; running servers restart."
        checked={on}
        blocked={dirty && "Save or discard the changes below first."}
        onChange={(enabled) => void set(enabled)}
      />
      {engine.data && (
        <p class={`notice ${there ? "ok" : on ? "warn" : ""}`}>
          <Icon name={there ? "check" : "warn"} />
          <span class="grow">
            {there
              ? `The container engine is available${name ? `: ${name}` : ""}.`
              : `No container engine is available. ${why ?? ""}`}
          </span>
        </p>
      )}
    </div>
  );
}
