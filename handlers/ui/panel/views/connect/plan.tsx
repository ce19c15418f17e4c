import { useId, useState } from "preact/hooks";
import { reasonOf } from "../../api.ts";
import { useDebounced } from "../../debounced.ts";
import { fresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Input } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { PatchText } from "../../parts/patch.tsx";
import { Shown } from "../../parts/states.tsx";
import { type ClientState, connect, look, type Preview, type Result } from "./client.ts";

/** For a connected client: rewrites its entry with a new token. */
export function Renew(props: { state: ClientState; onDone(result: Result): void }) {
  const [open, setOpen] = useState(false);
  if (open) return <Plan {...props} />;
  return (
    <div class="row">
      <Button small kind="bare" onClick={() => setOpen(true)}>
        Rewrite entry
      </Button>
    </div>
  );
}

/** The entry to be written, as a diff, with the button that writes it. */
export function Plan({ state, onDone }: { state: ClientState; onDone(result: Result): void }) {
  const [name, setName] = useState(state.server_name ?? "");
  const [refusalId, errorId] = [useId(), useId()];
  const [stale, setStale] = useState(false);
  const args = { params: { client: state.id }, query: { server_name: useDebounced(name.trim(), 300) } };
  const preview = useLive("GET /api/v1/connect/{client}/preview", args);
  const write = async (shown: Preview) => {
    setStale(false);
    const result = await connect(shown);
    if (result === "stale") {
      await fresh("GET /api/v1/connect/{client}/preview", args);
      setStale(true);
      await look(state.id);
    } else if (result) {
      onDone(result);
      await look(state.id);
    }
  };
  return (
    <Shown of={preview}>
      {(shown) => (
        <Section
          title={shown.entry_exists ? "Entry to be replaced" : "Entry to be written"}
          actions={<span class="hint">Preview only</span>}
        >
          <div class="stack">
            {stale && (
              <div class="notice warn" role="alert">
                <Icon name="warn" />
                <p class="grow">
                  The file or the entry changed after this preview, so the proxy wrote nothing. This is the new preview.
                </p>
              </div>
            )}
            {shown.connect_refusal ? (
              <>
                <div class="notice bad" role="alert">
                  <Icon name="bad" />
                  <p class="grow" id={refusalId}>
                    {shown.connect_refusal}
                  </p>
                  <Button small icon="refresh" onClick={preview.refresh}>
                    Refresh
                  </Button>
                </div>
                <p class="muted">To add it manually, use this entry:</p>
                <Snippet label="entry" text={shown.entry_text} />
              </>
            ) : shown.diff === "" ? (
              <p class="muted">The file already contains this entry; nothing would change.</p>
            ) : (
              <PatchText text={shown.diff} label={`Changes in ${shown.config_path}`} />
            )}
            {shown.existing_entry_summary && (
              <p class="muted">
                The file already has an entry <code>{shown.existing_entry_summary.entry_name}</code>
                {shown.existing_entry_summary.endpoint && (
                  <>
                    {" "}
                    for <code>{shown.existing_entry_summary.endpoint}</code>
                  </>
                )}
                {shown.existing_entry_summary.command && (
                  <>
                    {" "}
                    that starts <code>{shown.existing_entry_summary.command}</code>
                  </>
                )}
                . The proxy keeps a backup of the file.
              </p>
            )}
            {shown.note && <p class="hint">{shown.note}.</p>}
            <details>
              <summary>Use another entry name</summary>
              <Input
                label="Entry name"
                hint="Letters, digits, - and _. The client shows its tools under this name."
                value={name}
                placeholder={shown.server_name}
                autocomplete="off"
                onValue={setName}
              />
            </details>
            <div class="row end">
              <Button icon="refresh" kind="bare" onClick={preview.refresh}>
                Refresh
              </Button>
              <Button
                kind="main"
                blocked={shown.connect_refusal ?? (preview.error && reasonOf(preview.error))}
                reasonId={shown.connect_refusal === undefined ? errorId : refusalId}
                onClick={() => write(shown)}
              >
                {shown.entry_exists ? "Replace the entry" : `Connect ${state.name}`}
              </Button>
            </div>
            {preview.error && (
              <p class="error" role="alert" id={errorId}>
                {reasonOf(preview.error)}
              </p>
            )}
          </div>
        </Section>
      )}
    </Shown>
  );
}
