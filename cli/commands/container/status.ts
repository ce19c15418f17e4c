import { command } from "../../command.ts";

export default command({
  meta: { description: "Show whether isolation is enabled, and the status of the container engine" },
  async run({ cli }) {
    const status = await cli.call("GET /api/v1/container/status", {});
    await cli.show(status, (s) =>
      [
        `isolation ${s.isolation_enabled ? "on" : `off; enable it with: ${cli.self} config set docker_isolation.enabled true`}`,
        `engine    ${s.container_available ? (s.engine ?? "available") : "not available"}`,
        ...(s.last_error === "" ? [] : [`          ${s.last_error}`]),
        ...(s.recovery_mode ? [`          connection lost, reconnecting: ${s.attempts_since_up} attempts`] : []),
        `answered  ${s.last_successful_at ?? "never"}`,
      ].join("\n"),
    );
  },
});
