import type { Data } from "../../api.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Switch } from "../../parts/field.tsx";
import { plural } from "../../parts/time.tsx";

export type Preview = Data<"POST /api/v1/servers/import/json">;

/**
 * The servers of a configuration and the result of importing each; servers can be excluded, and nothing is changed yet.
 */
export function ImportPreview(props: {
  preview: Preview;
  /** Excluded servers, by their names in the configuration. */
  left: ReadonlySet<string>;
  secrets: boolean;
  onLeft(left: ReadonlySet<string>): void;
  onSecrets(keep: boolean): void;
}) {
  const { preview, left, secrets, onLeft, onSecrets } = props;
  return (
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
                  onLeft(next);
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
          label="Keep secrets out of the configuration file"
          hint="The proxy moves them to the secret store (the system keyring, or an encrypted file if there is none). The configuration then contains references such as ${keyring:NAME}."
          checked={secrets}
          onChange={onSecrets}
        />
      )}
    </div>
  );
}
