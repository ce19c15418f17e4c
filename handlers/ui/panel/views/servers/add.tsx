import { useState } from "preact/hooks";
import { type Args, call, type Data, Refused, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Input, Select, Switch, TextArea } from "../../parts/field.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, go } from "../../route.ts";
import { pairs, words } from "./texts.ts";

interface AddProps {
  onClose(): void;
  /** Where to go when it is done; to the server, when left out. */
  to?: string;
}

type How = "paste" | "command" | "address";

/** Adds servers: by the configuration of a client, by a command, or by an address. */
export function AddServer({ onClose, to }: AddProps) {
  const [how, setHow] = useState<How>("paste");
  return (
    <Dialog title="Add a server" size="wide" onClose={onClose}>
      <div class="segments" role="group" aria-label="How">
        {(
          [
            ["paste", "Paste a configuration"],
            ["command", "Run a command"],
            ["address", "Reach an address"],
          ] as const
        ).map(([key, title]) => (
          <Button key={key} small kind="bare" pressed={how === key} onClick={() => setHow(key)}>
            {title}
          </Button>
        ))}
      </div>
      {how === "paste" ? (
        <Paste onClose={onClose} {...(to !== undefined && { to })} />
      ) : (
        <ByHand key={how} how={how} onClose={onClose} {...(to !== undefined && { to })} />
      )}
    </Dialog>
  );
}

type Preview = Data<"POST /api/v1/servers/import/json">;

const EXAMPLE = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  }
}`;

/** What a client has in its file, with a look at what comes of it before anything is changed. */
function Paste({ onClose, to }: AddProps) {
  const [text, setText] = useState("");
  const [preview, setPreview] = useState<Preview>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [secrets, setSecrets] = useState(true);
  const [wrong, setWrong] = useState<string>();
  const ask = (only?: readonly string[]) =>
    call("POST /api/v1/servers/import/json", {
      query: {
        preview: only ? "false" : "true",
        ...(only && secrets && { secrets_to_keyring: "true" as const }),
      },
      body: { content: text, ...(only && { server_names: [...only] }) },
    });
  const look = async () => {
    try {
      setWrong(undefined);
      setPreview(await ask());
    } catch (error) {
      setPreview(undefined);
      setWrong(reasonOf(error));
    }
  };
  const chosen = (preview?.imported ?? []).filter((s) => !left.has(s.original_name)).map((s) => s.original_name);
  const add = async () => {
    try {
      const { summary, imported, failed } = await ask(chosen);
      await fresh("GET /api/v1/servers", {});
      toast(
        summary.failed > 0
          ? `${plural(summary.imported, "server")} added, ${failed.map((f) => `${f.name}: ${f.error}`).join("; ")}`
          : `${plural(summary.imported, "server")} added, in quarantine until you release ${summary.imported === 1 ? "it" : "them"}`,
        summary.failed > 0 ? { tone: "bad" } : {},
      );
      onClose();
      const [only, ...others] = imported;
      if (to !== undefined) await go(to);
      else if (only && others.length === 0) await go(at("servers", only.name));
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  return (
    <div class="stack">
      <TextArea
        label="Configuration"
        hint="The file or a part of it, from Claude, Cursor, VS Code, Codex, Zed and others: JSON, TOML or YAML."
        mono
        rows={9}
        placeholder={EXAMPLE}
        value={text}
        error={wrong}
        onValue={(next) => {
          setText(next);
          setPreview(undefined);
        }}
      />
      {preview && (
        <div class="stack" role="status">
          <p class="muted">
            {preview.format_name}: {plural(preview.summary.total, "server")} found.
          </p>
          <ul class="choices">
            {preview.imported.map((server) => (
              <li key={server.original_name}>
                <label>
                  <input
                    type="checkbox"
                    checked={!left.has(server.original_name)}
                    onChange={(e) => {
                      const next = new Set(left);
                      e.currentTarget.checked ? next.delete(server.original_name) : next.add(server.original_name);
                      setLeft(next);
                    }}
                  />
                  <span class="name">{server.name}</span>
                  <Tag>{server.protocol}</Tag>
                  {server.secrets.length > 0 && <Badge tone="warn">{plural(server.secrets.length, "secret")}</Badge>}
                </label>
                <code class="truncate muted">{server.url ?? [server.command, ...(server.args ?? [])].join(" ")}</code>
                {server.warnings.map((warning) => (
                  <p key={warning} class="hint">
                    {warning}
                  </p>
                ))}
              </li>
            ))}
            {[...preview.skipped.map((s) => [s.name, s.detail]), ...preview.failed.map((f) => [f.name, f.error])].map(
              ([name, why]) => (
                <li key={name} class="muted">
                  {name}: {why}
                </li>
              ),
            )}
          </ul>
          {preview.imported.some((s) => s.secrets.length > 0) && (
            <Switch
              label="Keep secrets in the keyring"
              hint="The configuration then holds references such as ${keyring:NAME}."
              checked={secrets}
              onChange={setSecrets}
            />
          )}
        </div>
      )}
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        {preview && preview.imported.length > 0 ? (
          <Button kind="main" disabled={chosen.length === 0} onClick={add}>
            Add {plural(chosen.length, "server")}
          </Button>
        ) : (
          <Button kind="main" disabled={text.trim() === ""} onClick={look}>
            Look what is in it
          </Button>
        )}
      </div>
    </div>
  );
}

function ByHand({ how, onClose, to }: AddProps & { how: "command" | "address" }) {
  const [name, setName] = useState("");
  const [command, setCommand] = useState("");
  const [folder, setFolder] = useState("");
  const [url, setUrl] = useState("");
  const [protocol, setProtocol] = useState("auto");
  const [more, setMore] = useState("");
  const [wrong, setWrong] = useState<string>();
  const add = async () => {
    setWrong(undefined);
    try {
      const [program = "", ...args] = words(command);
      const body: Args<"POST /api/v1/servers">["body"] =
        how === "command"
          ? { name, command: program, args, env: pairs(more, "="), ...(folder && { working_dir: folder }) }
          : { name, url, protocol, headers: pairs(more, ":") };
      await call("POST /api/v1/servers", { body });
      toast(`${name} is added, in quarantine until you release it`);
      await fresh("GET /api/v1/servers", {});
      onClose();
      await go(to ?? at("servers", name));
    } catch (error) {
      setWrong(error instanceof Refused ? error.message : reasonOf(error));
    }
  };
  const ready = name.trim() !== "" && (how === "command" ? command.trim() !== "" : url.trim() !== "");
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void add();
      }}
    >
      <Input
        label="Name"
        hint="Short and unique; the first part of its tools' ids, as in files:read."
        value={name}
        onValue={setName}
        autocomplete="off"
      />
      {how === "command" ? (
        <>
          <Input
            label="Command"
            mono
            placeholder="npx -y @modelcontextprotocol/server-filesystem /home/me/notes"
            value={command}
            onValue={setCommand}
            autocomplete="off"
          />
          <Input label="Folder it starts in (optional)" mono value={folder} onValue={setFolder} autocomplete="off" />
        </>
      ) : (
        <>
          <Input
            label="Address"
            mono
            type="url"
            placeholder="https://example.com/mcp"
            value={url}
            onValue={setUrl}
            autocomplete="off"
          />
          <Select
            label="Protocol"
            value={protocol}
            options={[
              ["auto", "find out"],
              ["streamable-http", "streamable HTTP"],
              ["sse", "SSE (older servers)"],
            ]}
            onValue={setProtocol}
          />
        </>
      )}
      <TextArea
        label={how === "command" ? "Environment (optional)" : "Headers (optional)"}
        hint={
          how === "command"
            ? "One a line: NAME=value. ${keyring:NAME} and ${env:NAME} are filled in when it starts."
            : "One a line: Name: value. ${keyring:NAME} and ${env:NAME} are filled in with each connection."
        }
        mono
        rows={3}
        value={more}
        onValue={setMore}
      />
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit" disabled={!ready}>
          Add server
        </Button>
      </div>
    </form>
  );
}
