import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Issued } from "./acts.ts";

/** Shows the secret of a token, once. */
export function Secret({ issued, onClose }: { issued: Issued; onClose(): void }) {
  return (
    <Dialog
      title={`The secret of ${issued.name}`}
      onClose={onClose}
      actions={
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="notice warn">
        <Icon name="warn" />
        <p class="grow">Copy the secret now. The proxy does not show it again.</p>
      </div>
      <Snippet label="token" text={issued.token} />
      <p class="muted">A client sends it with each request:</p>
      <Snippet label="header" text={`Authorization: Bearer ${issued.token}`} />
    </Dialog>
  );
}
