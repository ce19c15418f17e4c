import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { ASKING_MS } from "../../registry.ts";
import { quoted } from "../../self.ts";

export default command({
  meta: {
    description: "Search a registry for servers",
    detail:
      "Answers are kept: a registry is asked at most once an hour, and what is known of it is there without a network.",
    examples: [
      "proxy registry search github",
      "proxy registry search files -r reference",
      "proxy registry search --tag oci",
    ],
  },
  args: {
    words: { type: "positional", required: false, many: true, description: "each stands in name or description" },
    registry: { type: "string", alias: "r", valueHint: "id", description: "where to look; official unless said" },
    tag: {
      type: "string",
      alias: "t",
      valueHint: "tag",
      description: "only with this tag, such as npm, pypi, oci, remote",
    },
    limit: { type: "string", number: true, alias: "l", description: "most servers shown, 10 unless said" },
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
        ? "no server fits"
        : found.cache.stale
          ? "nothing that is known of this registry fits"
          : "nothing is known of this registry yet",
    }));
    const { unavailable, cache, total, servers, skipped } = found;
    if (unavailable)
      cli.note(`${unavailable.reason}${cache.stale ? `; this is what it said ${since(cache.age_seconds)} ago` : ""}`);
    if (total > servers.length) cli.note(`${total - servers.length} more; see them with --limit`);
    if (skipped) cli.note(`${skipped} of its entries cannot be used and are left out`);
    const [first] = servers;
    if (first)
      cli.note(
        `Look at one: ${cli.self} registry show ${quoted(first.id)}${registry === "official" ? "" : ` -r ${quoted(registry)}`}`,
      );
    // A script tells by it that this says nothing about what the registry has.
    return unavailable && servers.length === 0 ? EXIT.failed : EXIT.ok;
  },
});

function since(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`;
}

/** Anybody can publish in a registry, so what the scan found stands before what the server says of itself. */
function warning({ findings = [] }: { findings?: readonly { severity: string; rule: string }[] | undefined }): string {
  const grave = findings.filter(({ severity }) => severity === "high" || severity === "critical");
  return grave.length > 0 ? `[scan: ${[...new Set(grave.map(({ rule }) => rule))].join(", ")}] ` : "";
}
