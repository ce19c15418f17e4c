import { call, reasonOf } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/toast.tsx";
import { type Known, suggestions } from "../overview/suggestions.ts";
import { EVERY_TOOL } from "../tools/tool.ts";
import type { Draft } from "./script.tsx";

/** Offers a script that calls a tool of the proxy: one that only reads, if there is one. */
export function Example({ onTake }: { onTake(name: string, draft: Draft): void }) {
  const tools = useLive("GET /api/v1/tools", EVERY_TOOL).data?.tools ?? [];
  const usable = tools.filter((t) => t.approval_status === "approved" && !t.disabled && !t.config_denied);
  const { server_name: server } = usable.find((t) => t.annotations?.readOnlyHint === true) ?? usable[0] ?? {};
  if (server === undefined) return null;
  const take = async () => {
    try {
      const { tools } = await call("GET /api/v1/servers/{name}/tools", { params: { name: server } });
      const [tool] = suggestions(tools);
      if (tool) onTake("The example", { code: exampleOf(server, tool), language: "javascript" });
    } catch (error) {
      toast(reasonOf(error), { tone: "bad" });
    }
  };
  return (
    <Button small kind="bare" onClick={take}>
      Example with a tool of {server}
    </Button>
  );
}

function exampleOf(server: string, { name, schema }: Known): string {
  const required = Array.isArray(schema.required) ? schema.required.filter((one) => typeof one === "string") : [];
  const args = Object.fromEntries(required.map((one) => [one, "…"]));
  const text = [server, name, args].map((one) => JSON.stringify(one)).join(", ");
  return `// The call waits and returns { ok, result } or { ok: false, error }.
const answer = call_tool(${text});
console.log(answer.ok ? "it worked" : answer.error);
answer.result;
`;
}
