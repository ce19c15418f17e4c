import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
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
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
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

test("Prometheus accepts every expression, and the alerts fire", { skip: noPromtool }, (t) => {
  const dir = mkdtempSync(join(tmpdir(), "rules-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const promtool = (command: readonly string[], document: unknown) => {
    const file = join(dir, "document.yml");
    writeFileSync(file, JSON.stringify(document));
    const { status, stdout, stderr } = spawnSync("promtool", [...command, file], { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  };
  const known = (expression: string) => expression.replaceAll("$__rate_interval", "5m");
  const rules = panelExpressions.map((expr, i) => ({ record: `panel:${i}`, expr: known(expr) }));

  promtool(["check", "rules"], { groups: [{ name: "panels", rules }] });
  promtool(["test", "rules"], {
    rule_files: [resolve(ALERTS)],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: [
          { series: 'mcp_proxy_server_up{server="git"}', values: "0x30" },
          { series: 'mcp_proxy_server_up{server="web"}', values: "1x30" },
          { series: count("git", ""), values: "0+5x30" },
          { series: count("git", "call_timeout"), values: "0+5x30" },
          { series: count("web", ""), values: "0+5x30" },
          { series: count("web", "tool_error"), values: "0+5x30" },
        ],
        alert_rule_test: [
          firing("McpServerDown", "5m", []),
          firing("McpServerDown", "15m", ["git"]),
          firing("McpCallsFail", "25m", ["git"]),
          firing("McpToolsFail", "30m", []),
        ],
      },
    ],
  });

  function firing(alertname: string, evalTime: string, servers: readonly string[]) {
    const rule = alertRule(alertname);
    const expected = servers.map((server) => ({
      exp_labels: { server, ...rule.labels },
      exp_annotations: Object.fromEntries(
        Object.entries(rule.annotations).map(([key, text]) => [key, text.replace("{{ $labels.server }}", server)]),
      ),
    }));
    return { eval_time: evalTime, alertname, exp_alerts: expected };
  }
});

function count(server: string, errorType: string): string {
  const labels = `server="${server}",mcp_method_name="tools/call",error_type="${errorType}"`;
  return `mcp_client_operation_duration_seconds_count{${labels}}`;
}

function alertRule(name: string) {
  const rules = alerts.groups.flatMap((group) => group.rules) as unknown as readonly {
    alert: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
  }[];
  return rules.find(({ alert }) => alert === name)!;
}
