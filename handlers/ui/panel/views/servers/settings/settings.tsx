import { useEffect, useState } from "preact/hooks";
import { type Args, call, reasonOf } from "../../api.ts";
import { refresh } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Input, isMasked, SecretInput, Select, Switch, TextArea } from "../../parts/field.tsx";
import type { Server } from "../../parts/health.tsx";
import { Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { guardLeaving } from "../../route.ts";
import { line, words } from "./texts.ts";

type Change = Args<"PATCH /api/v1/servers/{name}">["body"];

/** Texts that are edited as one line each, and what they are. */
const TIMES = [
  ["init_timeout", "Longest start", "such as 30s; empty: as in general"],
  ["call_tool_timeout", "Longest call", "such as 2m"],
  ["health_check_interval", "Checked every", "such as 30s; 0 switches it off"],
  ["tool_discovery_interval", "Asked for tools every", "such as 5m; 0 switches it off"],
  ["queue_timeout", "Longest wait for a place", "such as 10s"],
] as const;
const NUMBERS = [
  ["max_concurrent_requests", "Calls at once", "0: no limit"],
  ["queue_size", "Calls that may wait", ""],
] as const;

const TRUST = [
  ["manual", "A person approves each tool and each change"],
  ["scan", "An offline scan approves what it finds clean"],
  ["auto", "Everything is approved by itself"],
] as const;

interface Draft {
  command: string;
  args: string;
  working_dir: string;
  url: string;
  protocol: string;
  trust_mode: string;
  reconnect_on_use: boolean;
  isolation: string;
  texts: Record<string, string>;
  /** Environment or headers: undefined keeps the value, null removes it. */
  map: Record<string, string | null | undefined>;
}

function draftOf(server: Server): Draft {
  const texts = Object.fromEntries(
    [...TIMES, ...NUMBERS].map(([key]) => [key, server[key] === undefined ? "" : String(server[key])]),
  );
  return {
    command: server.command ?? "",
    args: line(server.args ?? []),
    working_dir: server.working_dir ?? "",
    url: server.url ?? "",
    protocol: server.protocol,
    trust_mode: server.trust_mode ?? "manual",
    reconnect_on_use: server.reconnect_on_use,
    isolation: server.isolation ? JSON.stringify(server.isolation, null, 2) : "",
    texts,
    map: {},
  };
}

/** Only what differs is sent, so that no mask ever goes back. @throws SyntaxError of JSON */
function changeOf(server: Server, draft: Draft): Change {
  const before = draftOf(server);
  const change: Record<string, unknown> = {};
  for (const key of ["command", "working_dir", "url", "protocol", "trust_mode", "reconnect_on_use"] as const)
    if (draft[key] !== before[key]) change[key] = draft[key];
  if (draft.args !== before.args) change.args = words(draft.args);
  if (draft.isolation !== before.isolation)
    change.isolation = draft.isolation.trim() === "" ? null : JSON.parse(draft.isolation);
  for (const [key] of TIMES)
    if (draft.texts[key] !== before.texts[key]) change[key] = draft.texts[key] === "" ? null : draft.texts[key];
  for (const [key] of NUMBERS)
    if (draft.texts[key] !== before.texts[key]) change[key] = draft.texts[key] === "" ? null : Number(draft.texts[key]);
  const map = Object.entries(draft.map).filter(([, value]) => value !== undefined);
  if (map.length > 0) change[server.url ? "headers" : "env"] = Object.fromEntries(map);
  return change as Change;
}

/** A server's definition; secrets stay masked until they are replaced. */
export function ServerSettings({ server }: { server: Server }) {
  const [draft, setDraft] = useState(() => draftOf(server));
  const [wrong, setWrong] = useState<string>();
  const [revision, setRevision] = useState(server.revision);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const dirty = JSON.stringify(draft) !== JSON.stringify({ ...draftOf(server), map: {} });
  const elsewhere = revision !== server.revision;
  useEffect(() => {
    if (!dirty && elsewhere) {
      setDraft(draftOf(server));
      setRevision(server.revision);
    }
  }, [server.revision, dirty]);
  useEffect(() => {
    guardLeaving(
      dirty
        ? () =>
            confirm({
              title: "Leave without saving?",
              consequence: `What you changed in the settings of ${server.name} is lost.`,
              verb: "Leave",
              danger: true,
            })
        : undefined,
    );
    return () => guardLeaving(undefined);
  }, [dirty]);
  const discard = () => {
    setDraft(draftOf(server));
    setRevision(server.revision);
    setWrong(undefined);
  };
  const save = async () => {
    setWrong(undefined);
    try {
      const body = changeOf(server, draft);
      const saved = await call("PATCH /api/v1/servers/{name}", { params: { name: server.name }, body }, { revision });
      setDraft(draftOf(saved));
      setRevision(saved.revision);
      refresh(/servers|status/);
      toast(`${server.name} is changed`);
    } catch (error) {
      setWrong(error instanceof SyntaxError ? "isolation: this is no JSON yet" : reasonOf(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="columns">
        <Section title={server.url ? "Where it is" : "What runs"}>
          <div class="form">
            {server.url ? (
              <>
                <Input label="Address" mono value={draft.url} onValue={(url) => set({ url })} />
                <Select
                  label="Protocol"
                  value={draft.protocol}
                  options={[
                    ["auto", "find out"],
                    ["http", "HTTP"],
                    ["streamable-http", "streamable HTTP"],
                    ["sse", "SSE"],
                  ]}
                  onValue={(protocol) => set({ protocol })}
                />
              </>
            ) : (
              <>
                <Input label="Program" mono value={draft.command} onValue={(command) => set({ command })} />
                <Input
                  label="Arguments"
                  mono
                  hint={
                    isMasked(draft.args)
                      ? "What is masked stays out of reach: to change the arguments, write that part anew, or as ${keyring:NAME}."
                      : "Quotes keep spaces."
                  }
                  value={draft.args}
                  onValue={(args) => set({ args })}
                />
                <Input label="Folder" mono value={draft.working_dir} onValue={(working_dir) => set({ working_dir })} />
              </>
            )}
          </div>
        </Section>
        <Section title={server.url ? "Headers" : "Environment"}>
          <Pairs
            masked={(server.url ? server.headers : server.env) ?? {}}
            map={draft.map}
            name={server.url ? "Header" : "Variable"}
            onMap={(map) => set({ map })}
          />
        </Section>
        <Section title="Trust">
          <div class="form">
            <Select
              label="Who admits its tools"
              value={draft.trust_mode}
              options={TRUST}
              onValue={(trust_mode) => set({ trust_mode })}
            />
            <Switch
              label="Connect on use"
              hint="A call while it is away tries one connection first."
              checked={draft.reconnect_on_use}
              onChange={(reconnect_on_use) => set({ reconnect_on_use })}
            />
            <TextArea
              label="Isolation (JSON)"
              hint="Container settings of this server; empty: as in general."
              mono
              rows={3}
              value={draft.isolation}
              onValue={(isolation) => set({ isolation })}
            />
          </div>
        </Section>
        <Section title="Limits">
          <div class="form two">
            {[...TIMES, ...NUMBERS].map(([key, label, hint]) => (
              <Input
                key={key}
                label={label}
                hint={hint}
                value={draft.texts[key] ?? ""}
                onValue={(value) => set({ texts: { ...draft.texts, [key]: value } })}
              />
            ))}
          </div>
        </Section>
      </div>
      {(dirty || wrong) && (
        <div class="save-bar" role="region" aria-label="Unsaved changes">
          <p class="grow">
            {wrong ? (
              <span class="error" role="alert">
                {wrong}
              </span>
            ) : elsewhere ? (
              "This server was changed elsewhere meanwhile; discard to see it."
            ) : (
              "Unsaved changes. Saving connects the server anew where that is needed."
            )}
          </p>
          <Button onClick={discard}>Discard</Button>
          <Button kind="main" type="submit" disabled={!dirty}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}

/** Names with values that may be secret. */
function Pairs(props: {
  masked: Readonly<Record<string, string>>;
  map: Draft["map"];
  name: string;
  onMap(map: Draft["map"]): void;
}) {
  const { masked, map, name, onMap } = props;
  const [fresh, setFresh] = useState("");
  const names = [...new Set([...Object.keys(masked), ...Object.keys(map)])].filter(
    (key) => map[key] !== undefined || key in masked,
  );
  const add = () => {
    onMap({ ...map, [fresh.trim()]: "" });
    setFresh("");
  };
  return (
    <div class="form">
      {names.length === 0 && <p class="muted">None.</p>}
      {names.map((key) =>
        map[key] === null ? (
          <div key={key} class="row between">
            <del>{key}</del>
            <Button small onClick={() => onMap({ ...map, [key]: undefined })}>
              Keep it
            </Button>
          </div>
        ) : (
          <div key={key} class="pair">
            <SecretInput
              label={key}
              masked={masked[key] ?? ""}
              value={map[key] ?? undefined}
              onValue={(value) => onMap({ ...map, [key]: value })}
            />
            <Button
              small
              kind="bare"
              icon="trash"
              label={`Remove ${key}`}
              onClick={() => onMap({ ...map, [key]: key in masked ? null : undefined })}
            />
          </div>
        ),
      )}
      <div class="input-row">
        <input
          class="input mono"
          aria-label={`Name of a new ${name.toLowerCase()}`}
          placeholder={name === "Header" ? "X-Name" : "NAME"}
          value={fresh}
          onInput={(e) => setFresh(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || fresh.trim() === "") return;
            e.preventDefault();
            add();
          }}
        />
        <Button small icon="plus" disabled={fresh.trim() === ""} onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
