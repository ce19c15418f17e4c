import { useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Switch, TextArea } from "../../parts/field.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, go } from "../../route.ts";
import type { AddProps } from "./add.tsx";

type Preview = Data<"POST /api/v1/servers/import/json">;

const EXAMPLE = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  }
}`;

/** What a client has in its file, with a look at what comes of it before anything is changed. */
export function Paste({ onClose, to }: AddProps) {
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
