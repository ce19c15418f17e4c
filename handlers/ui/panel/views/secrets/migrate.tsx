import { useEffect, useState } from "preact/hooks";
import { call, type Data, reasonOf } from "../../api.ts";
import { fresh, refresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { plural } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { PLACES } from "./place.ts";

type Candidates = Data<"POST /api/v1/secrets/migrate">["analysis"]["candidates"];

/** Moves secrets that are in plain text in the definitions of servers into the secret store, after a review of each. */
export function MigrateSecrets({ server, onClose }: { server?: string | undefined; onClose(): void }) {
  const [found, setFound] = useState<Candidates>();
  const [wrong, setWrong] = useState<Error>();
  const place = useLive("GET /api/v1/secrets", {}).data?.backend;
  const only = server === undefined ? {} : { server };
  const look = async () => {
    setWrong(undefined);
    try {
      const { analysis } = await call("POST /api/v1/secrets/migrate", { body: { ...only, apply: false } });
      setFound(analysis.candidates);
    } catch (error) {
      setWrong(error instanceof Error ? error : new Error(reasonOf(error)));
    }
  };
  useEffect(() => void look(), []);
  const move = async () => {
    try {
      const { message } = await call("POST /api/v1/secrets/migrate", { body: { ...only, apply: true } });
      toast(message);
      await fresh("GET /api/v1/secrets", {});
      refresh(/doctor|servers/);
      onClose();
    } catch (error) {
      setFound(undefined);
      setWrong(error instanceof Error ? error : new Error(reasonOf(error)));
    }
  };
  const some = found !== undefined && found.length > 0;
  return (
    <Dialog
      title={server === undefined ? "Move secrets out of the configuration" : `Move the secrets of ${server}`}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{some ? "Cancel" : "Close"}</Button>
          {some && (
            <Button kind="main" onClick={move}>
              Move {plural(found.length, "secret")}
            </Button>
          )}
        </>
      }
    >
      {wrong ? (
        <Failed error={wrong} retry={() => void look()} />
      ) : found === undefined ? (
        <Loading lines={3} />
      ) : found.length === 0 ? (
        <Empty icon="check" title="Nothing to move">
          No server definition contains a secret in plain text.
        </Empty>
      ) : (
        <>
          <p class="muted">
            These values are in plain text in the configuration file. Each moves into{" "}
            {place ? PLACES[place.kind] : "the secret store"}, and a reference replaces it.
          </p>
          <ul class="lines boxed">
            {found.map((c) => (
              <li key={`${c.server} ${c.field}`}>
                <div class="grow">
                  <span class="name">{c.server}</span> <code class="muted">{c.field}</code>
                </div>
                <span class="row">
                  <del class="mono">{c.value}</del>
                  <Icon name="right" size={12} />
                  <ins class="mono">{c.suggested}</ins>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
