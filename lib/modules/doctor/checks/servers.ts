import type { App } from "../../../core/app.ts";
import { ascii, asciiName } from "../../../core/base/ascii.ts";
import { loopShare } from "../../../core/base/loop-share.ts";
import { plural } from "../../../core/base/plural.ts";
import { shellWord } from "../../../core/base/shell-word.ts";
import { scanStandings } from "../../../core/extension/scan-standings.ts";
import { ITEMS_UNLISTED } from "../../../core/gateway/health.ts";
import { type Caller, INTERNAL_CALLER } from "../../../core/schema/caller.ts";
import type { DoctorFinding, DoctorRemedy } from "../../../core/schema/doctor-shapes.ts";
import { ITEM_WORDS, LISTED_KINDS } from "../../../core/schema/item.ts";
import type { ServerRecord } from "../../../core/schema/server-record.ts";
import { maskedServerRecord } from "../../../core/verbs/servers/record.ts";
import { isCertificateFailure } from "./network.ts";

/** Reports unhealthy servers, and everything that waits for a review. */
export async function servers(app: App, { tier }: Pick<Caller, "tier">): Promise<DoctorFinding[]> {
  await app.part(scanStandings).refresh({ tier });
  const each: DoctorFinding[] = [];
  const omitted: DoctorFinding[] = [];
  const pause = loopShare();
  for (const { name, enabled } of app.config.current().mcpServers) {
    // The server may have been removed meanwhile.
    if (enabled && app.config.server(name)) {
      const findings = about(maskedServerRecord(app, name, { ...INTERNAL_CALLER, tier }));
      // The finding about the certificate has the remedy.
      each.push(...findings.filter(({ code }) => code !== "server_failing" || !isCertificateFailure(app, name)));
    }
    if (tier === "admin") omitted.push(...leftOut(app, name));
    await pause();
  }
  return [...each, ...omitted];
}

/** Reports omitted tools. Only for administrators, because it contains names of unreviewed tools. */
function leftOut(app: App, name: string): DoctorFinding[] {
  const finding = (code: string, items: string, what: string): DoctorFinding[] =>
    what === ""
      ? []
      : [
          {
            code,
            severity: "warning",
            title: `Server ${asciiName(name)} lists ${items} that the proxy omits, completely or in part`,
            detail: ascii(what),
            remedy: { action: "Report it to the server's author; clients cannot use the omitted parts" },
          },
        ];
  return [
    ...finding("tools_left_out", "tools", app.catalog.skippedTools(name)),
    ...LISTED_KINDS.flatMap((kind) =>
      finding("items_left_out", ITEM_WORDS[kind].plural, app.catalog.items.skipped(name, kind)),
    ),
  ];
}

/** The findings about one server: errors before pending reviews. */
function about({
  name,
  health,
  quarantined,
  held,
  quarantine,
  last_error,
  items_error,
  tool_count,
  scan,
}: ServerRecord): DoctorFinding[] {
  const detail = health.detail ?? last_error;
  // A missing secret is reported as a separate finding, whose remedy stores it.
  const unwell = health.level !== "healthy" && health.action !== "set_secret" && health.summary !== ITEMS_UNLISTED;
  const state =
    health.level === "degraded" ? "needs attention" : quarantined ? "is unhealthy and quarantined" : "is unhealthy";
  const trouble: DoctorFinding[] = unwell
    ? [
        {
          code: health.action === "login" ? "server_sign_in" : "server_failing",
          severity: health.level === "unhealthy" ? "error" : "warning",
          title:
            detail === undefined || health.action === "login"
              ? `Server "${name}": ${health.summary}`
              : `Server "${name}" ${state}`,
          ...(detail !== undefined && { detail }),
          server: name,
          remedy: remedy(name, health.action),
        },
      ]
    : [];
  if (items_error !== undefined) trouble.push(unlisted(name, items_error));
  if (!quarantined) return [...trouble, ...waiting(name, quarantine, scan?.verdict)];
  if (held) return [confirmation(name)];
  return health.action === "approve" ? [...trouble, review(name, tool_count, scan?.verdict)] : trouble;
}

function unlisted(name: string, error: string): DoctorFinding {
  return {
    code: "items_unlisted",
    severity: "warning",
    title: `The prompts and resources of "${name}" could not be listed`,
    detail: `${error}. Clients are offered those of its last good listing.`,
    server: name,
    remedy: remedy(name, "view_logs"),
  };
}

function confirmation(name: string): DoctorFinding {
  const server = shellWord(name);
  return {
    code: "server_held",
    severity: "warning",
    title: `Server "${name}" is held: it does not start until an administrator confirms it`,
    detail: `It was added or changed over MCP. First review what it runs or contacts: proxy upstream show ${server}`,
    server: name,
    remedy: {
      action: "Confirm the server",
      command: `proxy upstream confirm ${server}`,
      route: "POST /api/v1/servers/{name}/confirm",
      params: { name },
    },
  };
}

function review(name: string, tools: number, verdict: "clean" | "suspicious" | "dangerous" | undefined): DoctorFinding {
  const server = shellWord(name);
  const what = tools === 0 ? "its prompts and resources" : tools === 1 ? "the text of its tool" : `its ${tools} tools`;
  if (verdict === "dangerous")
    return {
      code: "server_quarantined",
      severity: "error",
      title: `Server "${name}" is in quarantine, and the scan rates it dangerous`,
      detail: `Clients cannot call its tools. Review the findings and ${what}, or remove the server: proxy upstream remove ${server}`,
      server: name,
      remedy: { action: "Review the findings", command: `proxy security report ${server}` },
    };
  return {
    code: "server_quarantined",
    severity: "warning",
    title: `Server "${name}" waits for a review in quarantine`,
    detail: `Clients cannot call its tools. Review ${what}, then approve or block each tool.`,
    server: name,
    remedy: {
      action: "Review the server",
      command: `proxy review ${server}`,
      route: "POST /api/v1/servers/{name}/unquarantine",
      params: { name },
    },
  };
}

function waiting(
  name: string,
  counts: ServerRecord["quarantine"],
  verdict: "clean" | "suspicious" | "dangerous" | undefined,
): DoctorFinding[] {
  const { pending_count: pending = 0, changed_count: changed = 0 } = counts ?? {};
  const dangerous = verdict === "dangerous";
  const remedyOf = (count: number): DoctorRemedy =>
    dangerous
      ? { action: count === 1 ? "Review it" : "Review them", command: `proxy review ${shellWord(name)}` }
      : {
          action: count === 1 ? "Approve it" : "Approve them",
          command: `proxy tools approve ${shellWord(name)} --all`,
          route: "POST /api/v1/servers/{name}/tools/approve",
          params: { name },
          body: { approve_all: true },
        };
  const finding = (code: string, count: number, what: string, detail: string): DoctorFinding[] =>
    count === 0
      ? []
      : [
          {
            code,
            severity: dangerous ? "error" : "warning",
            title: `${plural(count, what)} of "${name}" ${count === 1 ? "waits" : "wait"} for approval${dangerous ? ", and the scan rates the server dangerous" : ""}`,
            detail,
            server: name,
            remedy: remedyOf(count),
          },
        ];
  return [
    ...finding("tools_changed", changed, "changed tool", "First review each change: proxy tools diff."),
    ...finding("tools_pending", pending, "new tool", "Clients cannot call it until a person approves it."),
    ...waitingItems(name, counts?.items),
  ];
}

function waitingItems(
  name: string,
  { pending_count = 0, changed_count = 0 }: Partial<NonNullable<ServerRecord["quarantine"]>["items"]> = {},
): DoctorFinding[] {
  const count = pending_count + changed_count;
  if (count === 0) return [];
  return [
    {
      code: "items_waiting",
      severity: "warning",
      title: `${plural(count, "prompt or resource", "prompts and resources")} of "${name}" ${count === 1 ? "waits" : "wait"} for approval`,
      detail: `Clients cannot use ${count === 1 ? "it" : "them"} until a person approves ${count === 1 ? "it" : "them"}.`,
      server: name,
      remedy: { action: count === 1 ? "Review it" : "Review them", command: `proxy review ${shellWord(name)}` },
    },
  ];
}

function remedy(name: string, action: ServerRecord["health"]["action"]): DoctorRemedy {
  const server = shellWord(name);
  if (action === "configure")
    return { action: "Review and correct its definition", command: `proxy upstream patch ${server} --help` };
  if (action === "restart")
    return {
      action: "Reconnect the server",
      command: `proxy upstream restart ${server}`,
      route: "POST /api/v1/servers/{name}/restart",
      params: { name },
    };
  if (action === "login")
    return {
      action: "Sign in to the server",
      command: `proxy upstream login ${server}`,
      route: "POST /api/v1/servers/{name}/login",
      params: { name },
    };
  return {
    action: "Read the server's log",
    command: `proxy upstream logs ${server}`,
    route: "GET /api/v1/servers/{name}/logs",
    params: { name },
  };
}
