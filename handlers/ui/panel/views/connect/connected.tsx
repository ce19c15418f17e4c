import { reasonOf } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toast.tsx";
import { href } from "../../route.ts";
import { type ClientState, type Result, undo } from "./client.ts";

/** The result of a connect, the next steps, and undo. */
export function Connected({ state, result, onUndone }: { state: ClientState; result: Result; onUndone(): void }) {
  const takeBack = async () => {
    try {
      await undo(result);
      onUndone();
    } catch (error) {
      toast(reasonOf(error), { tone: "bad" });
    }
  };
  return (
    <section class="hero" role="status">
      <span class="hero-icon ok">
        <Icon name="check" size={20} />
      </span>
      <div class="grow">
        <h2>
          {result.action === "already_exists" ? `${state.name} was already connected` : `${state.name} is connected`}
        </h2>
        <p class="muted">
          Restart {state.name}, or reload its servers. Its first call appears under{" "}
          <a href={href("/activity")}>activity</a>.
        </p>
        {result.backup_path && (
          <p class="hint">
            Backup of the previous file: <code>{result.backup_path}</code>
          </p>
        )}
      </div>
      {result.action !== "already_exists" && (
        <Button icon="refresh" onClick={takeBack}>
          Undo
        </Button>
      )}
    </section>
  );
}
