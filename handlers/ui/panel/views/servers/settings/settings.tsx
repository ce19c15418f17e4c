import { useEffect, useState } from "preact/hooks";
import { call, reasonOf } from "../../../api.ts";
import { refresh } from "../../../live.ts";
import { Input, isMasked, Select, Switch } from "../../../parts/field.tsx";
import type { Server } from "../../../parts/health.tsx";
import { Section } from "../../../parts/page.tsx";
import { SaveBar, useUnsaved } from "../../../parts/save-bar.tsx";
import { toast } from "../../../parts/toast.tsx";
import { changeOf, type Draft, draftOf, SWITCHES, TEXTS } from "./draft.ts";
import { IsolationForm } from "./isolation-form.tsx";
import { Pairs } from "./pairs.tsx";

const TRUST = [
  ["manual", "A person approves each tool and each change"],
  ["scan", "The scan approves tools with the verdict clean"],
  ["auto", "The proxy approves every tool without review"],
] as const;
const ARGUMENT_CHECKS = [
  ["", "Default"],
  ["enforce", "Reject the call"],
  ["warn", "Make the call and note the mismatch in its record"],
  ["off", "Do not validate"],
] as const;
const PROTOCOLS = [
  ["auto", "find out"],
  ["http", "HTTP"],
  ["streamable-http", "streamable HTTP"],
  ["sse", "SSE"],
] as const;

/** A server's definition; secrets stay masked until they are replaced. */
export function ServerSettings({ server }: { server: Server }) {
  const [draft, setDraft] = useState(() => draftOf(server));
  const [wrong, setWrong] = useState<string>();
  // The revision that the draft is based on; fields with incomplete input are reset with each revision.
  const [revision, setRevision] = useState(server.revision);
  const [round, setRound] = useState(0);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const dirty = Object.keys(changeOf(server, draft)).length > 0;
  const elsewhere = revision !== server.revision;
  const begin = (from: Server) => {
    setDraft(draftOf(from));
    setRevision(from.revision);
    setRound(round + 1);
    setWrong(undefined);
  };
  useEffect(() => {
    if (!dirty && elsewhere) begin(server);
  }, [server.revision, dirty]);
  useUnsaved(dirty ? `Unsaved changes to the settings of ${server.name} are lost.` : undefined);
  const save = async () => {
    setWrong(undefined);
    try {
      const body = changeOf(server, draft);
      begin(await call("PATCH /api/v1/servers/{name}", { params: { name: server.name }, body }, { revision }));
      refresh(/servers|status/);
      toast(`${server.name} is changed`);
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  const remote = server.url !== undefined;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="columns">
        <div class="stack">
          <Section title={remote ? "Address" : "Command"}>
            {remote ? <Address draft={draft} set={set} /> : <Command draft={draft} set={set} />}
          </Section>
          <Section title={remote ? "Headers" : "Environment"}>
            <Pairs
              masked={(remote ? server.headers : server.env) ?? {}}
              map={draft.map}
              name={remote ? "Header" : "Variable"}
              onMap={(map) => set({ map })}
            />
          </Section>
        </div>
        <div class="stack">
          <Section title="Trust">
            <div class="form">
              <Select
                label="Approval of tools"
                value={draft.trust_mode}
                options={TRUST}
                onValue={(trust_mode) => set({ trust_mode })}
              />
              <Select
                label="Arguments that do not match the tool's schema"
                value={draft.validate_arguments}
                options={ARGUMENT_CHECKS}
                onValue={(validate_arguments) => set({ validate_arguments })}
              />
              {SWITCHES.map(({ key, label, hint }) => (
                <Switch
                  key={key}
                  label={label}
                  hint={hint}
                  checked={draft.switches[key] ?? false}
                  onChange={(checked) => set({ switches: { ...draft.switches, [key]: checked } })}
                />
              ))}
            </div>
          </Section>
          {server.isolation_defaults && (
            <IsolationForm
              key={round}
              value={draft.isolation}
              defaults={server.isolation_defaults}
              onValue={(isolation) => set({ isolation })}
            />
          )}
        </div>
      </div>
      <Section title="Limits" actions={<span class="hint">Empty: default</span>}>
        <div class="form two">
          {TEXTS.map(({ key, label, hint }) => (
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
      {(dirty || wrong) && (
        <SaveBar blocked={!dirty && "No changes."} onDiscard={() => begin(server)}>
          {wrong ? (
            <span class="error" role="alert">
              {wrong}
            </span>
          ) : elsewhere ? (
            "This server was changed in the meantime; discard your changes to see the new settings."
          ) : (
            "Unsaved changes. Saving reconnects the server if necessary."
          )}
        </SaveBar>
      )}
    </form>
  );
}

interface Part {
  draft: Draft;
  set(part: Partial<Draft>): void;
}

function Address({ draft, set }: Part) {
  return (
    <div class="form">
      <Input label="Address" mono value={draft.url} onValue={(url) => set({ url })} />
      <Select label="Protocol" value={draft.protocol} options={PROTOCOLS} onValue={(protocol) => set({ protocol })} />
    </div>
  );
}

function Command({ draft, set }: Part) {
  return (
    <div class="form">
      <Input label="Program" mono value={draft.command} onValue={(command) => set({ command })} />
      <Input
        label="Arguments"
        mono
        hint={
          isMasked(draft.args)
            ? "Masked values are not readable here: to change the arguments, enter the value again or use ${keyring:NAME}."
            : "Quote values with spaces."
        }
        value={draft.args}
        onValue={(args) => set({ args })}
      />
      <Input
        label="Folder"
        hint="The server starts in this directory and may write to it, even in isolation."
        mono
        value={draft.working_dir}
        onValue={(working_dir) => set({ working_dir })}
      />
    </div>
  );
}
