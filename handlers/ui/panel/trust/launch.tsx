import { Visible } from "../parts/diff.tsx";
import type { Server } from "../parts/health.tsx";
import { Facts } from "../parts/page.tsx";
import { listed } from "../parts/time.tsx";

/** Everything that decides what a server runs or contacts: the complete command line or URL. */
export function Launch({ server }: { server: Server }) {
  const { command, args = [], url, env, headers, working_dir } = server;
  return (
    <Facts
      of={[
        ["Command", command && <Line key="command" text={commandLine([command, ...args])} />],
        ["URL", url && <Line key="url" text={url} />],
        ["Working directory", working_dir && <Line key="folder" text={working_dir} />],
        ["Environment variables", names(env)],
        ["Headers", names(headers)],
        ["Origin", originOf(server)],
      ]}
    />
  );
}

function Line({ text }: { text: string }) {
  return (
    <code class="launch">
      <Visible text={text} />
    </code>
  );
}

/** Quotes the words for a shell, so that the limits of each argument are visible. */
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(" ");

function quoted(argument: string): string {
  return /^[\w@%+=:,./~-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

const names = (values: Record<string, string> | undefined) => {
  const all = Object.keys(values ?? {});
  return all.length > 0 && <Visible text={listed(all)} />;
};

function originOf({ held, source_registry_id, source_registry_server, source_registry_version }: Server) {
  const registry =
    source_registry_id !== undefined &&
    [`registry ${source_registry_id}`, source_registry_server, source_registry_version].filter(Boolean).join(", ");
  if (held) return registry ? `added over MCP from ${registry}` : "added or changed over MCP by a client";
  return registry;
}
