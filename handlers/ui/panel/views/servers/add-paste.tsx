import { useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { fresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Switch, TextArea } from "../../parts/field.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, go, href } from "../../route.ts";
import type { AddProps } from "./add.tsx";
import { ImportPreview, type Preview } from "./import-preview.tsx";
import { movable, moveOut } from "./move-out.ts";

type ClientFile = Data<"GET /api/v1/servers/import/paths">["paths"][number];

const EXAMPLE = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  }
}`;

/** Imports a client's configuration, with a preview before anything changes. */
export function Paste({ onClose, to }: AddProps) {
  const [text, setText] = useState("");
  const [file, setFile] = useState<ClientFile>();
  const [preview, setPreview] = useState<Preview>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [secrets, setSecrets] = useState(true);
  // Entries that can be removed from the client's file, and whether to remove them.
  const [entries, setEntries] = useState<readonly string[]>([]);
  const [move, setMove] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const ask = (from: ClientFile | undefined, only?: readonly string[]) => {
    const query = {
      preview: only ? ("false" as const) : ("true" as const),
      ...(only && secrets && { secrets_to_keyring: "true" as const }),
    };
    const names = only && { server_names: [...only] };
    return from
      ? call("POST /api/v1/servers/import/path", { query, body: { path: from.path, format: from.format, ...names } })
      : call("POST /api/v1/servers/import/json", { query, body: { content: text, ...names } });
  };
  const look = async (from?: ClientFile) => {
    setFile(from);
    setWrong(undefined);
    setLeft(new Set());
    setEntries([]);
    setMove(false);
    try {
      const seen = await ask(from);
      setEntries(from ? await movable(from, seen) : []);
      setPreview(seen);
    } catch (error) {
      setPreview(undefined);
      setWrong(reasonOf(error));
    }
  };
  const chosen = (preview?.imported ?? []).filter((s) => !left.has(s.original_name)).map((s) => s.original_name);
  const leaving = entries.filter((name) => !left.has(name));
  const add = async () => {
    try {
      const { summary, imported, failed } = await ask(file, chosen);
      await fresh("GET /api/v1/servers", {});
      toast(
        summary.failed > 0
          ? `${plural(summary.imported, "server")} added, ${failed.map((f) => `${f.name}: ${f.error}`).join("; ")}`
          : `${plural(summary.imported, "server")} added, in quarantine until you release ${summary.imported === 1 ? "it" : "them"}`,
        summary.failed > 0 ? { tone: "bad" } : {},
      );
      if (move && file) await moveOut(file, leaving);
      onClose();
      const [only, ...others] = imported;
      if (to !== undefined) await go(to);
      else if (only && others.length === 0) await go(at("servers", only.name));
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  const justMove = async () => {
    if (file) await moveOut(file, leaving);
    onClose();
  };
  return (
    <div class="stack">
      <Clients chosen={file} onChoose={look} />
      <TextArea
        label="Configuration"
        hint="The file or a part of it from Claude, Cursor, VS Code, Codex, Zed or another client: JSON, TOML or YAML."
        mono
        rows={file ? 3 : 8}
        placeholder={EXAMPLE}
        value={text}
        error={wrong}
        onValue={(next) => {
          setText(next);
          setFile(undefined);
          setPreview(undefined);
        }}
      />
      {preview && (
        <ImportPreview preview={preview} left={left} secrets={secrets} onLeft={setLeft} onSecrets={setSecrets} />
      )}
      {file && leaving.length > 0 && (
        <Switch
          label={`Remove ${leaving.length === 1 ? "the entry" : `the ${leaving.length} entries`} from the file of ${file.name}`}
          hint={`${leaving.join(", ")}. While these entries stay, ${file.name} also starts these servers directly, without quarantine, approvals and activity records. The proxy backs up the file first; Undo restores it.`}
          checked={move}
          onChange={setMove}
        />
      )}
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        {preview && preview.imported.length > 0 ? (
          <Button kind="main" blocked={chosen.length === 0 && "Select a server first."} onClick={add}>
            Add {plural(chosen.length, "server")}
          </Button>
        ) : file && preview && leaving.length > 0 ? (
          <Button kind="main" blocked={!move && "The proxy already has these servers."} onClick={justMove}>
            Remove {plural(leaving.length, "entry", "entries")}
          </Button>
        ) : (
          <Button
            kind="main"
            blocked={text.trim() === "" && "Paste a configuration or choose a client first."}
            onClick={() => look()}
          >
            Show servers
          </Button>
        )}
      </div>
    </div>
  );
}

/** Clients with a file on the proxy's machine, from which nothing needs to be pasted. */
function Clients({ chosen, onChoose }: { chosen: ClientFile | undefined; onChoose(file: ClientFile): unknown }) {
  const { data } = useLive("GET /api/v1/servers/import/paths", {});
  const there = (data?.paths ?? []).filter((file) => file.exists);
  if (there.length === 0) return null;
  return (
    <fieldset class="stack tight">
      <legend class="label">From a client on this machine</legend>
      <div class="row">
        {there.map((file) => (
          <Button
            key={file.format}
            small
            pressed={file.format === chosen?.format}
            title={file.path}
            onClick={() => onChoose(file)}
          >
            {file.name}
          </Button>
        ))}
        {there.length > 1 && (
          <a class="button small bare" href={href("/setup")}>
            All at once
          </a>
        )}
      </div>
    </fieldset>
  );
}
