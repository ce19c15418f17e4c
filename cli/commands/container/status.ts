import { command } from "../../command.ts";

export default command({
  meta: { description: "Show whether servers run in containers, and how the container engine is" },
  async run({ cli }) {
    const status = await cli.call("GET /api/v1/container/status", {});
    await cli.show(status, (s) =>
      [
        `isolation ${s.isolation_enabled ? "on" : `off; switch it on with: ${cli.self} config set docker_isolation.enabled true`}`,
        `engine    ${s.container_available ? (s.engine ?? "answers") : "none that answers"}`,
        ...(s.last_error === "" ? [] : [`          ${s.last_error}`]),
        ...(s.recovery_mode ? [`          it went away and is being waited for, ${s.attempts_since_up} attempts`] : []),
        `answered  ${s.last_successful_at ?? "never"}`,
      ].join("\n"),
    );
  },
});
