import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { has } from "#test/kit/machine.ts";
import { folder } from "#test/kit/program.ts";

const HELM = process.env.TEST_HELM ?? "helm";
const noHelm = has(HELM) ? false : `no ${HELM}`;
const CHART = "build/package/helm";

function template(values: readonly string[]) {
  const set = values.flatMap((one) => ["--set", one]);
  return spawnSync(HELM, ["template", "mcp", CHART, "--kube-version", "1.30.0", ...set], { encoding: "utf8" });
}

/** The objects of the chart with these values, by kind. */
function rendered(...values: string[]): Record<string, { spec: Record<string, unknown> }> {
  const ran = template(values);
  assert.equal(ran.status, 0, ran.stderr);
  const objects = ran.stdout.split(/^---$/m).map((text) => parse(text));
  return Object.fromEntries(objects.filter(Boolean).map((one) => [one.kind, one]));
}

test("the Helm chart passes helm lint", { skip: noHelm }, () => {
  const { status, stdout } = spawnSync(HELM, ["lint", "--strict", CHART], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("by default the chart has one instance, a volume, a service, and no ingress", { skip: noHelm }, () => {
  const objects = rendered();

  assert.deepEqual(Object.keys(objects).sort(), ["NetworkPolicy", "PersistentVolumeClaim", "Service", "StatefulSet"]);
  assert.equal(objects.StatefulSet!.spec.replicas, 1);
});

test("with the secret of a database the chart has replicas that are updated one by one", { skip: noHelm }, () => {
  const objects = rendered(
    "cluster.existingSecret=shared",
    "existingSecret=more",
    "autoscaling.enabled=true",
    "metrics.port=9464",
  );
  const { strategy, replicas, template: pod } = objects.Deployment!.spec;
  const { containers, volumes, terminationGracePeriodSeconds } = (pod as { spec: Record<string, unknown> }).spec;
  const [{ env, envFrom, ports }] = containers as unknown as [
    Record<string, { name: string; value?: string; valueFrom?: object }[]>,
  ];
  const value = (name: string) => env!.find((one) => one.name === name);
  const names = ["Deployment", "HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget", "Service"];

  assert.deepEqual(Object.keys(objects).sort(), names);
  assert.deepEqual(strategy, { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  assert.equal(replicas, undefined, "the autoscaler decides");
  assert.ok(Number(terminationGracePeriodSeconds) > 25);
  assert.deepEqual(volumes, [
    { name: "data", emptyDir: { sizeLimit: "2Gi" } },
    { name: "tmp", emptyDir: {} },
  ]);
  for (const key of ["DATABASE_URL", "PROXY_CLUSTER_KEY", "SERVICE_API_KEY"])
    assert.deepEqual(value(key)?.valueFrom, { secretKeyRef: { name: "shared", key } });
  assert.equal(value("SERVICE_CLUSTER_DATABASE_URL")?.value, "${env:DATABASE_URL}");
  assert.equal(value("SERVICE_CLUSTER_ENCRYPTION_KEYS")?.value, "${env:PROXY_CLUSTER_KEY}");
  assert.equal(value("SERVICE_CLUSTER_REPLICA_ADDRESS")?.value, "$(POD_IP):9443");
  assert.ok(env!.findIndex(({ name }) => name === "POD_IP") < env!.indexOf(value("SERVICE_CLUSTER_REPLICA_ADDRESS")!));
  assert.deepEqual(envFrom, [{ secretRef: { name: "more" } }]);
  assert.deepEqual(
    ports!.map(({ name }) => name),
    ["http", "replicas", "metrics"],
  );
  const [clients, others] = objects.NetworkPolicy!.spec.ingress as { ports: object[]; from: object[] }[];
  assert.deepEqual(clients!.ports, [{ port: "http" }, { port: "metrics" }]);
  assert.deepEqual([others!.ports, Object.keys(others!.from[0]!)], [[{ port: "replicas" }], ["podSelector"]]);
  assert.equal(objects.PodDisruptionBudget!.spec.maxUnavailable, 1);
  assert.deepEqual(Object.keys(objects.HorizontalPodAutoscaler!.spec).sort(), [
    "behavior",
    "maxReplicas",
    "metrics",
    "minReplicas",
    "scaleTargetRef",
  ]);
});

test("values of the chart that cannot work together name the remedy", { skip: noHelm }, () => {
  const rows: [values: string[], remedy: RegExp][] = [
    [["autoscaling.enabled=true", "metrics.port=1"], /set cluster\.existingSecret/],
    [["autoscaling.enabled=true", "cluster.existingSecret=shared"], /set metrics\.port/],
  ];
  for (const [values, remedy] of rows) assert.match(template(values).stderr, remedy);
});

test("values of the chart reach the container, the ingress and the policy", { skip: noHelm }, () => {
  const objects = rendered(
    "publicUrl=https://mcp.example.com",
    "trustedProxies={10.0.0.0/8,10.1.0.0/16}",
    "existingSecret=keys",
    "env.SERVICE_LOG_LEVEL=debug",
    "ingress.enabled=true",
    "ingress.host=mcp.example.com",
    "ingress.tlsSecret=cert",
    "metrics.port=9464",
    "persistence.existingClaim=mine",
  );
  const text = JSON.stringify(objects);
  const env = /"env":(\[.*?\])/.exec(text)![1]!;

  assert.equal(objects.PersistentVolumeClaim, undefined);
  for (const wanted of [
    '{"name":"SERVICE_PUBLIC_URL","value":"https://mcp.example.com"}',
    '{"name":"SERVICE_TRUSTED_PROXIES","value":"10.0.0.0/8,10.1.0.0/16"}',
    '{"name":"SERVICE_LOG_LEVEL","value":"debug"}',
  ])
    assert.ok(env.includes(wanted), `${wanted} in ${env}`);
  assert.ok(text.includes('"secretRef":{"name":"keys"}') && text.includes('"claimName":"mine"'));
  assert.deepEqual(objects.Ingress!.spec.tls, [{ hosts: ["mcp.example.com"], secretName: "cert" }]);
  assert.deepEqual((objects.NetworkPolicy!.spec.ingress as { ports: object[] }[])[0]!.ports, [
    { port: "http" },
    { port: "metrics" },
  ]);
});

test("the compose file, the workflows and the action are YAML, and the action's programs exist", () => {
  const workflows = readdirSync(".github/workflows").map((name) => `.github/workflows/${name}`);
  const compose = ["compose", "compose.cluster"].map((name) => `build/package/${name}.yaml`);
  for (const file of [...compose, ...workflows]) assert.ok(parse(readFileSync(file, "utf8")), file);
  const action = parse(readFileSync(".github/actions/lock-verify/action.yml", "utf8"));
  const programs = action.runs.steps.flatMap(
    ({ run }: { run: string }) => /action_path }}\/(\S+)/.exec(run)?.[1] ?? [],
  );

  assert.deepEqual(programs, ["verify.sh", "comment.sh"]);
  for (const name of programs)
    assert.equal(spawnSync("bash", ["-n", `.github/actions/lock-verify/${name}`]).status, 0, name);
});

test("the action's report lists the gravest difference first, and what servers say stays text", (t) => {
  const file = join(folder(t), "report.json");
  const drifts = [
    { class: "text", server: "a", tool: "t", at: "/description", what: "**x** | @team [l](http://e) <img>\n# h" },
    { class: "capability", server: "b", at: "/", what: "a new server" },
  ];
  writeFileSync(file, JSON.stringify({ drifts, unverified: [{ server: "c", what: "not connected" }] }));

  const { stdout } = spawnSync(process.execPath, [".github/actions/lock-verify/report.mjs", "25", file], {
    encoding: "utf8",
  });

  const lines = stdout.trimEnd().split("\n");
  const rows = lines.filter((line) => /^\| (text|capability)/.test(line));
  assert.equal(lines[0], "<!-- mcp-lock-verify -->");
  assert.match(lines[1]!, /2 differences, not accepted/);
  assert.match(rows[0]!, /^\| capability/);
  assert.equal(rows[1]!.replaceAll(/&#\d+;/g, "").match(/[*@[\]<>`]/), null);
  assert.equal(rows[1]!.split(" | ").length, 5, "no cell ends early");
  assert.match(stdout, /Not compared: c: not connected/);
});
