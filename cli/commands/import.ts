import { existsSync } from "node:fs";
import type { Api } from "#handlers/routes.gen.ts";
import type { Call } from "#lib/client/client.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import type { ImportResult } from "#lib/core/schema/import-result.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { readText } from "../read-text.ts";
import { STORES } from "../secret-stores.ts";
import type { Table } from "../table.ts";

export default command({
  meta: {
    group: "servers",
    description: "Import servers from the configuration of another MCP client",
    detail: `Without --apply, nothing changes: the command shows what it would add or skip, and why. Without a source, it lists
the configuration files of known clients. Added servers are quarantined. The client's entries stay in its
file unless --move removes them.
Exit codes: 0 done; 1 some servers cannot be used here.`,
    examples: [
      "proxy import",
      "proxy import --from cursor",
      "proxy import --from claude-desktop --apply --secrets-to-keyring",
      "proxy import --from cursor --move --apply",
      "proxy import ./mcp.json --only git,jira --apply",
    ],
  },
  args: {
    file: { type: "positional", required: false, description: "configuration file, - for standard input" },
    from: {
      type: "string",
      valueHint: "client",
      names: "clients",
      description: "known client, read from its default location",
    },
    format: {
      type: "string",
      valueHint: "format",
      description: "json, toml, yaml or a client id (default: detected)",
    },
    only: { type: "string", valueHint: "names", description: "only these servers, comma-separated" },
    rename: { type: "string", many: true, valueHint: "old=new", description: "import a server under another name" },
    apply: { type: "boolean", description: "import the servers instead of showing a preview" },
    "secrets-to-keyring": {
      type: "boolean",
      description: "move likely secrets to the keyring, or to an encrypted file if there is no keyring",
    },
    move: {
      type: "boolean",
      description: "also remove the entries from the client's file; `connect undo` restores them",
    },
    quarantine: { type: "boolean", description: "quarantine the servers (yes); --no-quarantine: trust them at once" },
  },
  async run({ cli, args }) {
    const { apply = false } = args;
    if (args.file !== undefined && args.from !== undefined) throw new UsageError("use a file or --from, not both");
    if (args.file === undefined && args.from === undefined) return listFiles(cli, apply);
    const { file, from } = args.from === undefined ? await sourceOf(cli.call, args.file!) : args;
    if (args.move && from === undefined) throw new UsageError("--move requires a known client; name it with --from");
    const query = {
      preview: apply ? ("false" as const) : ("true" as const),
      ...(args.quarantine === false && { skip_quarantine: "true" as const }),
      ...(args["secrets-to-keyring"] && { secrets_to_keyring: "true" as const }),
    };
    const wishes = {
      ...(args.format !== undefined && { format: args.format }),
      ...(args.only !== undefined && { server_names: args.only.split(",").flatMap((name) => name.trim() || []) }),
      ...(args.rename.length > 0 && { rename: renames(args.rename) }),
    };
    const done =
      from === undefined
        ? await cli.call("POST /api/v1/servers/import/json", {
            query,
            body: { content: await readText(file!, cli), ...wishes },
          })
        : await cli.call("POST /api/v1/servers/import/path", {
            query,
            body: { path: await pathOf(cli.call, from), ...wishes },
          });
    await cli.show(done, table);
    for (const warning of done.warnings) cli.note(warning);
    if (args.move && from !== undefined) await moveOut(cli, from, done);
    else if (apply && from !== undefined && done.summary.imported > 0) cli.note(stillThere(cli.self, from));
    if (!apply && done.summary.imported > 0) cli.note("nothing was changed; to import add --apply");
    return done.summary.failed > 0 ? EXIT.failed : EXIT.ok;
  },
});

async function listFiles(cli: Cli, apply: boolean): Promise<void> {
  if (apply) throw new UsageError("name a file, use - for standard input, or use --from");
  const { paths } = await cli.call("GET /api/v1/servers/import/paths", {});
  await cli.show(paths, () => ({
    columns: ["client", "found", "file"],
    rows: [...paths]
      .sort((a, b) => Number(b.exists) - Number(a.exists))
      .map(({ format, exists, path }) => [format, exists ? "yes" : "", path]),
    empty: "no known clients",
  }));
  const found = paths.find(({ exists }) => exists);
  if (found) cli.note(`preview an import with: ${cli.self} import --from ${found.format}`);
}

/** Resolves a word to a file, or to a client's ID if there is no such file. */
async function sourceOf(call: Call<Api>, word: string): Promise<{ file?: string; from?: string }> {
  if (word === "-" || existsSync(word) || /[./\\]/.test(word)) return { file: word };
  const { paths } = await call("GET /api/v1/servers/import/paths", {});
  if (paths.some(({ format }) => format === word)) return { from: word };
  const suggestions = nearestWords(word, formatsOf(paths), 2).map((id) => `--from ${id}`);
  throw new UsageError(`"${word}" is neither a file nor a known client`, suggestions);
}

async function pathOf(call: Call<Api>, client: string): Promise<string> {
  const { paths } = await call("GET /api/v1/servers/import/paths", {});
  const clientFile = paths.find(({ format }) => format === client);
  if (clientFile) return clientFile.path;
  const suggestions = nearestWords(client, formatsOf(paths), 2);
  if (suggestions.length > 0) throw new UsageError(`"${client}" is not a known client`, suggestions);
  throw new UsageError(`"${client}" is not a known client; use ${formatsOf(paths).join(", ")}`);
}

const formatsOf = (paths: readonly { format: string }[]) => paths.map(({ format }) => format);

/** Removes the entries whose servers are imported from the client's file. */
async function moveOut(cli: Cli, client: string, { preview, imported, skipped }: ImportResult): Promise<void> {
  const before = skipped.filter(({ reason }) => reason === "already_exists" || reason === "duplicate");
  const server_names = [...imported.map((one) => one.original_name), ...before.map(({ name }) => name)];
  const moved = await cli.call("POST /api/v1/connect/{client}/move", {
    params: { client },
    body: { server_names, preview },
  });
  cli.note(moved.removed.length > 0 ? `${moved.message}: ${moved.removed.join(", ")}` : moved.message);
  if (moved.backup_path === undefined) return;
  cli.note(`undo with: ${cli.self} connect undo ${client}`);
  cli.note(`connect it to this proxy with: ${cli.self} connect add ${client}`);
}

/** The note that an import does not remove the entries from the client, and why that matters. */
const stillThere = (self: string, client: string) =>
  `The entries of ${client} stay in its configuration. With them it still starts these servers itself: once it also uses this proxy, its models see each tool twice, and calls through the old entries skip quarantine, approvals and the activity log. Move them out with: ${self} import --from ${client} --move --apply; then connect it with: ${self} connect add ${client}`;

function renames(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1 || at === pair.length - 1) throw new UsageError(`--rename must have the form old=new, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function table({ preview, imported, skipped, failed }: ImportResult): Table {
  return {
    columns: ["server", "", "runs", "remarks"],
    rows: [
      ...imported.map((s) => [
        s.name,
        preview ? "would be added" : "added",
        s.url ?? [s.command, ...(s.args ?? [])].join(" "),
        [...s.warnings, ...secretRemarks(s.secrets, preview), ...leftOut(s.fields_skipped)].join("; "),
      ]),
      ...skipped.map(({ name, reason, detail }) => [name, "skipped", reason.replaceAll("_", " "), detail]),
      ...failed.map(({ name, error }) => [name, "failed", "", error]),
    ],
    empty: "the file contains no servers",
  };
}

function secretRemarks(secrets: ImportResult["imported"][number]["secrets"], preview: boolean): string[] {
  return secrets.map(({ field, stored_as: name, backend }) =>
    name === undefined
      ? `${field} looks like a secret`
      : `${field} ${preview ? "would be stored" : "is stored"} as secret ${name} in the ${STORES[backend ?? "keyring"]}`,
  );
}

const leftOut = (fields: readonly string[]) => (fields.length === 0 ? [] : [`not imported: ${fields.join(", ")}`]);
