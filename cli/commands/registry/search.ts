import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { ASKING_MS } from "../../registry-timeout.ts";
import { quoted } from "../../self.ts";

export default command({
  meta: {
    description: "Search a registry for servers",
    detail:
      "Responses are cached: the proxy reads a registry at most once an hour, and cached entries are available offline.",
    examples: [
      "proxy registry search github",
      "proxy registry search files -r reference",
      "proxy registry search --tag oci",
    ],
  },
  args: {
    words: {
      type: "positional",
      required: false,
      many: true,
      description: "words that the name or description must contain",
    },
    registry: { type: "string", alias: "r", valueHint: "id", description: "registry to search (official)" },
    tag: {
      type: "string",
      alias: "t",
      valueHint: "tag",
      description: "only servers with this tag, such as npm, pypi, oci or remote",
    },
    limit: { type: "string", number: true, alias: "l", description: "maximum number of servers (10)" },
  },
  async run({ cli, args }) {
    const { registry = "official", tag, limit } = args;
    const search = args.words.join(" ");
    const query = { ...(search && { search }), ...(tag && { tag }), ...(limit && { limit: String(limit) }) };
    const found = await cli.call(
      "GET /api/v1/registries/{id}/servers",
      { params: { id: registry }, query },
      { timeoutMs: ASKING_MS },
    );
    await cli.show(found, ({ servers }) => ({
      columns: ["id", "version", "runs", "description"],
      whole: ["id"],
      rows: servers.map((s) => [s.id, s.version, s.kind ?? "cannot be installed", `${warning(s)}${s.description}`]),
      empty: !found.unavailable
        ? "no matching servers"
        : found.cache.stale
          ? "no matching servers in the cached entries of this registry"
          : "no cached entries of this registry",
    }));
    const { unavailable, cache, total, servers, skipped } = found;
    if (unavailable)
      cli.note(`${unavailable.reason}${cache.stale ? `; these results are ${since(cache.age_seconds)} old` : ""}`);
    if (total > servers.length) cli.note(`${total - servers.length} more; show them with --limit`);
    if (skipped) cli.note(`invalid entries skipped: ${skipped}`);
    const [first] = servers;
    if (first)
      cli.note(
        `Show one: ${cli.self} registry show ${quoted(first.id)}${registry === "official" ? "" : ` -r ${quoted(registry)}`}`,
      );
    // The exit code tells a script that an empty result is not the registry's answer.
    return unavailable && servers.length === 0 ? EXIT.failed : EXIT.ok;
  },
});

function since(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`;
}

/** Findings of the scan are shown before the server's own texts, because anybody can publish in a registry. */
function warning({ findings = [] }: { findings?: readonly { severity: string; rule: string }[] | undefined }): string {
  const grave = findings.filter(({ severity }) => severity === "high" || severity === "critical");
  return grave.length > 0 ? `[scan: ${[...new Set(grave.map(({ rule }) => rule))].join(", ")}] ` : "";
}
