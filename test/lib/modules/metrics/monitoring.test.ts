import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { parse } from "yaml";
import { createInstruments } from "#lib/modules/metrics/instruments.ts";
import { noPromtool } from "./scraped.ts";

/** The dashboard and the alert rules that users import. */
const DASHBOARD = "docs/monitoring/grafana-dashboard.json";
const ALERTS = "docs/monitoring/alerts.yml";

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}
interface AlertRules {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
}

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const dashboard = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;
const alerts = parse(readFileSync(ALERTS, "utf8")) as AlertRules;
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alertExpressions = alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));

/** Labels by exported name; Prometheus adds those of the scraped target. */
function exportedNames(): Map<string, readonly string[]> {
  const { registry, clientOperations } = createInstruments(true);
  const metrics = [registry, clientOperations[0]!.registry].flatMap((one) => one.getMetricsAsArray());
  return new Map(
    // The labels are no part of the library's types.
    (metrics as unknown as { name: string; type: string; labelNames: string[]; buckets?: unknown }[]).flatMap(
      (metric) =>
        (metric.buckets ? ["_bucket", "_sum", "_count"] : [""]).map(
          (end) => [metric.name + end, [...metric.labelNames, "le", "job", "instance"]] as const,
        ),
    ),
  );
}

test("the dashboard and the alerts ask only for metrics and labels that the proxy exports", () => {
  const exported = exportedNames();
  const asked = new Set<string>();
  for (const expression of [...panelExpressions, ...alertExpressions]) {
    for (const [name] of expression.matchAll(/\b(?:mcp|process|nodejs)_\w+(?=[{[\s)]|$)/g)) {
      if (name.startsWith("mcp_method_name")) continue;
      assert.ok(exported.has(name), `${name} in ${expression}`);
      asked.add(name);
    }
    for (const [, name, inner] of expression.matchAll(/(\w+)\{([^}]*)\}/g))
      for (const [, label] of inner!.matchAll(/(\w+)(?:=~|!=|=)"/g))
        assert.ok(name === "up" || exported.get(name!)?.includes(label!), `${label} of ${name} in ${expression}`);
  }
  assert.ok(asked.size > 20, `${asked.size} names are too few: they were not recognised`);
});

const python = process.env.TEST_PYTHON_GRAFANA ?? "python3";
const noGrafana = spawnSync(python, ["-c", "import grafana_foundation_sdk"]).status !== 0;
const skipGrafana =
  noGrafana &&
  `no package "grafana-foundation-sdk" in ${python}: TEST_PYTHON_GRAFANA=$(test/python/install.sh grafana python) npm test`;

test("Grafana's own package knows every member of the dashboard", { skip: skipGrafana }, () => {
  const known = byGrafana(dashboard);
  assert.deepEqual(omissions(dashboard, known), []);

  const [row, ...others] = dashboard.panels;
  const misspelt = { ...dashboard, panels: [{ ...row, titel: "x" }, ...others] };
  assert.deepEqual(omissions(misspelt, byGrafana(misspelt)), ["/panels/0/titel"]);
});

/** Returns a dashboard without the members that Grafana does not know. */
function byGrafana(given: object): unknown {
  const input = JSON.stringify(given);
  const { status, stdout, stderr } = spawnSync(python, ["test/programs/read-dashboard.py"], {
    input,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** Returns the paths of the values that are not the same in `known`, which may contain more members. */
function omissions(given: unknown, known: unknown, path = ""): string[] {
  if (typeof given !== "object" || given === null) return given === known ? [] : [path];
  if (typeof known !== "object" || known === null) return [path];
  return Object.entries(given).flatMap(([key, value]) =>
    omissions(value, (known as Record<string, unknown>)[key], `${path}/${key}`),
  );
}

/** A series of one metric: its value at minute 0, and how much it grows in each minute. */
interface Series {
  readonly of: string;
  readonly from: number;
  readonly growth?: number;
}

interface Firing {
  /** What makes the alert fire. */
  readonly series: readonly Series[];
  /** Similar series that do not. */
  readonly quiet?: readonly Series[];
  /** The alert fires at the second moment and not yet at the first one (minutes). */
  readonly minutes: readonly [before: number, at: number];
  readonly labels?: Readonly<Record<string, string>>;
  readonly value?: string;
}

const git = { server: "git" };

/** When each alert fires. */
const FIRING: Readonly<Record<string, Firing>> = {
  McpProxyDown: {
    series: [{ of: 'up{job="proxy",instance="a"}', from: 0 }],
    quiet: [{ of: 'up{job="node",instance="a"}', from: 0 }],
    minutes: [1, 3],
    labels: { job: "proxy", instance: "a" },
  },
  McpServerDown: {
    series: [{ of: 'mcp_proxy_server_up{server="git"}', from: 0 }],
    quiet: [{ of: 'mcp_proxy_server_up{server="web"}', from: 1 }],
    minutes: [5, 15],
    labels: git,
  },
  McpCallsFail: {
    series: [calls("git", "", 5), calls("git", "call_timeout", 5)],
    quiet: [calls("web", "", 5), calls("web", "tool_error", 5)],
    minutes: [5, 25],
    labels: git,
  },
  McpToolsFail: {
    series: [calls("git", "", 5), calls("git", "tool_error", 10)],
    quiet: [calls("web", "", 5), calls("web", "call_timeout", 10)],
    minutes: [25, 65],
    labels: git,
  },
  McpCallsWait: {
    series: [{ of: 'mcp_proxy_calls_waiting{server="git"}', from: 1 }],
    quiet: [{ of: 'mcp_proxy_calls_waiting{server="web"}', from: 0 }],
    minutes: [4, 6],
    labels: git,
  },
  McpSignInNeeded: {
    series: ["expired", "failed"].map((state) => ({ of: `mcp_proxy_sign_ins{state="${state}"}`, from: 1 })),
    quiet: [{ of: 'mcp_proxy_sign_ins{state="signed_in"}', from: 5 }],
    minutes: [14, 16],
    value: "2",
  },
  McpApprovalsWait: {
    series: ["tool", "server"].map((kind) => ({ of: `mcp_proxy_approvals_waiting{kind="${kind}"}`, from: 1 })),
    minutes: [1430, 1450],
    value: "2",
  },
  McpProxyLosesRecords: {
    series: [{ of: 'mcp_proxy_store_writes_lost_total{instance="a"}', from: 0, growth: 1 }],
    quiet: [{ of: 'mcp_proxy_store_writes_lost_total{instance="b"}', from: 7 }],
    minutes: [0, 20],
    labels: { instance: "a" },
    value: "10",
  },
  McpProxyBlocked: {
    series: [{ of: 'nodejs_eventloop_lag_p99_seconds{instance="a"}', from: 0.5 }],
    quiet: [{ of: 'nodejs_eventloop_lag_p99_seconds{instance="b"}', from: 0.02 }],
    minutes: [9, 11],
    labels: { instance: "a" },
  },
  McpTelemetryLost: {
    series: [{ of: 'mcp_proxy_otlp_lost_total{instance="a",signal="traces"}', from: 0, growth: 1 }],
    quiet: [{ of: 'mcp_proxy_otlp_lost_total{instance="a",signal="metrics"}', from: 7 }],
    minutes: [3, 10],
    labels: { instance: "a", signal: "traces" },
  },
  McpSinkFails: {
    series: [{ of: 'mcp_proxy_sink_up{instance="a",sink="siem"}', from: 0 }],
    quiet: [{ of: 'mcp_proxy_sink_up{instance="a",sink="hook"}', from: 1 }],
    minutes: [9, 11],
    labels: { instance: "a", sink: "siem" },
  },
  McpSinkLosesRecords: {
    series: [{ of: 'mcp_proxy_sink_records_total{outcome="lost",sink="siem"}', from: 0, growth: 1 }],
    quiet: [{ of: 'mcp_proxy_sink_records_total{outcome="delivered",sink="siem"}', from: 0, growth: 1 }],
    minutes: [0, 5],
    labels: { outcome: "lost", sink: "siem" },
  },
  McpNotificationsFail: {
    series: [{ of: 'mcp_proxy_notification_channel_up{channel="ops",instance="a"}', from: 0 }],
    quiet: [{ of: 'mcp_proxy_notification_channel_up{channel="mail",instance="a"}', from: 1 }],
    minutes: [9, 11],
    labels: { channel: "ops", instance: "a" },
  },
};

function calls(server: string, errorType: string, growth: number): Series {
  const labels = `server="${server}",mcp_method_name="tools/call",error_type="${errorType}"`;
  return { of: `mcp_client_operation_duration_seconds_count{${labels}}`, from: 0, growth };
}

function promtool(t: TestContext, command: readonly string[], document: unknown): void {
  const dir = mkdtempSync(join(tmpdir(), "rules-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "document.yml");
  writeFileSync(file, JSON.stringify(document));
  const { status, stdout, stderr } = spawnSync("promtool", [...command, file], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}

test("Prometheus accepts every expression of the dashboard", { skip: noPromtool }, (t) => {
  const known = (expression: string) => expression.replaceAll("$__rate_interval", "5m");
  const rules = panelExpressions.map((expr, i) => ({ record: `panel:${i}`, expr: known(expr) }));

  promtool(t, ["check", "rules"], { groups: [{ name: "panels", rules }] });
});

test("each alert fires for what it names, after its time, and for nothing similar", { skip: noPromtool }, (t) => {
  const rules = alerts.groups.flatMap((group) => group.rules);
  assert.deepEqual(
    Object.keys(FIRING),
    rules.map(({ alert }) => alert),
  );
  const tests = rules.map(({ alert, labels: own, annotations }) => {
    const { series, quiet = [], minutes, labels = {}, value = "" } = FIRING[alert]!;
    const [before, at] = minutes;
    const filled = (text: string) =>
      text.replace(/\{\{ \$(?:labels\.(\w+)|value) \}\}/g, (_, label) => (label ? labels[label]! : value));
    const exp_annotations = Object.fromEntries(Object.entries(annotations).map(([key, text]) => [key, filled(text)]));
    return {
      interval: "1m",
      input_series: [...series, ...quiet].map(({ of, from, growth = 0 }) => ({
        series: of,
        values: `${from}+${growth}x${at}`,
      })),
      alert_rule_test: [
        { eval_time: `${before}m`, alertname: alert, exp_alerts: [] },
        { eval_time: `${at}m`, alertname: alert, exp_alerts: [{ exp_labels: { ...labels, ...own }, exp_annotations }] },
      ],
    };
  });

  promtool(t, ["test", "rules"], { rule_files: [resolve(ALERTS)], evaluation_interval: "1m", tests });
});
