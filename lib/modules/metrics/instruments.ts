import { Counter, Gauge, Histogram, type Metric, Registry } from "prom-client";
import { DurationHistogram } from "./duration-histogram.ts";

/** Bounds of OpenTelemetry's conventions for the durations of MCP operations (seconds). */
const OPERATION_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Bounds for what the proxy adds to a call, which takes far less than a millisecond (seconds). */
const HOP_BUCKETS = [
  0.00005, 0.0001, 0.00015, 0.0002, 0.0003, 0.0005, 0.00075, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5,
];
const COMMIT_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];
const SCRIPT_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The name of the metric in `clientOperations`. */
export const CLIENT_OPERATION = "mcp_client_operation_duration_seconds";
const CLIENT_SHARDS = 10;

export type Instruments = ReturnType<typeof createInstruments>;

/**
 * Makes the metrics. Names that begin with `mcp_server_` and `mcp_client_` follow the conventions of OpenTelemetry for
 * MCP; `process_` and `nodejs_` are those that Node programs usually have; the others are the proxy's own.
 */
export function createInstruments(hasToolLabels: boolean) {
  const registry = new Registry();
  const registers = [registry];
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[]) =>
    new Histogram({ name, help, buckets, labelNames: [...labelNames], registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });

  const durations = (
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames: readonly string[],
    register = registry,
  ) => {
    const one = new DurationHistogram({ name, help, buckets, labelNames });
    // The library's type for metrics lists its own classes; its registry only reads the members that this one has.
    register.registerMetric(one as unknown as Metric);
    return one;
  };

  // One histogram formats all of its series without a pause, so that this one, which can have many, is divided.
  const clientOperations = Array.from({ length: CLIENT_SHARDS }, () => {
    const shard = new Registry();
    const help = "Duration of the requests that the proxy sent to servers for its clients, with the wait for a slot.";
    const labels = ["server", "mcp_method_name", "error_type", ...(hasToolLabels ? ["gen_ai_tool_name"] : [])];
    return { registry: shard, histogram: durations(CLIENT_OPERATION, help, OPERATION_BUCKETS, labels, shard) };
  });

  return {
    registry,
    clientOperations,
    serverOperation: durations(
      "mcp_server_operation_duration_seconds",
      "Duration of the requests of MCP clients. An empty error_type means success; tool_error is a result with isError.",
      OPERATION_BUCKETS,
      ["mcp_method_name", "mcp_protocol_version", "network_transport", "error_type"],
    ),
    hop: durations(
      "mcp_proxy_hop_duration_seconds",
      "What the proxy adds to a request that calls one server: its duration without that of the server.",
      HOP_BUCKETS,
      [],
    ),
    script: histogram("mcp_proxy_script_duration_seconds", "Duration of the scripts in the sandbox.", SCRIPT_BUCKETS, [
      "status",
    ]),
    scriptsActive: gauge("mcp_proxy_scripts_active", "Scripts that run in the sandbox."),
    scriptsWaiting: gauge("mcp_proxy_scripts_waiting", "Scripts that wait for a sandbox."),
    commit: durations(
      "mcp_proxy_store_commit_duration_seconds",
      "Duration of the transactions of the database until they are on the disk.",
      COMMIT_BUCKETS,
      [],
    ),
    writesLost: counter("mcp_proxy_store_writes_lost_total", "Writes to the database that failed."),
    clockOffset: gauge(
      "mcp_proxy_clock_offset_seconds",
      "Difference of this machine's clock to that of the cluster's database; positive if it is behind.",
    ),
    writesWaiting: gauge("mcp_proxy_store_writes_waiting", "Writes to the database that are not on the disk yet."),
    rejected: counter(
      "mcp_proxy_calls_rejected_total",
      "Calls that the proxy rejected, by the code of the reason (docs/errors.md).",
      ["reason"],
    ),
    findings: counter("mcp_proxy_sensitive_calls_total", "Calls in which sensitive data was found.", ["severity"]),
    refreshes: counter("mcp_proxy_oauth_refreshes_total", "Renewals of the tokens of servers.", ["outcome"]),
    servers: gauge("mcp_proxy_servers", "Configured servers by state.", ["state"]),
    serverUp: gauge("mcp_proxy_server_up", "1 if the server is connected, 0 if it should be but is not.", ["server"]),
    active: gauge("mcp_proxy_calls_active", "Calls under way at a server.", ["server"]),
    waiting: gauge("mcp_proxy_calls_waiting", "Calls that wait for a slot of a server.", ["server"]),
    tools: gauge("mcp_proxy_tools", "Tools that servers list."),
    approvals: gauge("mcp_proxy_approvals_waiting", "Servers, tools and other items that wait for a decision.", [
      "kind",
    ]),
    signIns: gauge("mcp_proxy_sign_ins", "Sign-ins of the proxy at servers by state.", ["state"]),
    otlpSent: counter("mcp_proxy_otlp_sent_total", "Spans and data points that the collector accepted.", ["signal"]),
    otlpLost: counter("mcp_proxy_otlp_lost_total", "Spans and data points that did not reach the collector.", [
      "signal",
    ]),
    sinkRecords: counter("mcp_proxy_sink_records_total", "Records of a sink, by what became of them.", [
      "sink",
      "outcome",
    ]),
    sinkWaiting: gauge("mcp_proxy_sink_records_waiting", "Records that a sink has not delivered yet.", ["sink"]),
    sinkUp: gauge("mcp_proxy_sink_up", "1 if the last delivery of the sink succeeded, 0 if it failed.", ["sink"]),
    notices: counter("mcp_proxy_notifications_total", "Notices of a channel, by what became of them.", [
      "channel",
      "outcome",
    ]),
    channelUp: gauge("mcp_proxy_notification_channel_up", "1 if the last message of the channel was sent, 0 if not.", [
      "channel",
    ]),
    info: gauge("mcp_proxy_info", "Always 1; the labels describe the program.", ["version"]),
    startTime: gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds."),
    resident: gauge("process_resident_memory_bytes", "Resident memory size in bytes."),
    cpu: counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds."),
    heapUsed: gauge("nodejs_heap_size_used_bytes", "Process heap size used from Node.js in bytes."),
    heapTotal: gauge("nodejs_heap_size_total_bytes", "Process heap size from Node.js in bytes."),
    external: gauge("nodejs_external_memory_bytes", "Node.js external memory size in bytes."),
    lagMean: gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last scrape."),
    lagP50: gauge("nodejs_eventloop_lag_p50_seconds", "Median delay of the event loop since the last scrape."),
    lagP99: gauge(
      "nodejs_eventloop_lag_p99_seconds",
      "99th percentile of the delay of the event loop since the last scrape.",
    ),
    lagMax: gauge("nodejs_eventloop_lag_max_seconds", "Largest delay of the event loop since the last scrape."),
  };
}
