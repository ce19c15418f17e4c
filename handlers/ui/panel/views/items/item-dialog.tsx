import { useRef } from "preact/hooks";
import { type Shortcut, useShortcuts } from "../../keys.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Compare, laidOut, Visible } from "../../parts/diff.tsx";
import { Findings, graveOf, Verdict } from "../../parts/findings.tsx";
import { Facts } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { at, href } from "../../route.ts";
import { useIsAdmin } from "../../session.ts";
import { type Item, KINDS } from "../../trust/item-choices.tsx";
import { approveItem, blockItem } from "./acts.ts";
import { ItemState } from "./columns.tsx";

interface ItemDialogProps {
  item: Item;
  onClose(): void;
  /** Moves to another item by this offset; without it, the shortcuts are disabled. */
  onStep?(by: number): void;
}

/**
 * One prompt, resource or template in full, with its changes since the approval, and the buttons to approve and block.
 */
export function ItemDialog({ item, onClose, onStep }: ItemDialogProps) {
  const { kind, name, server_name, scan, approval_status, disabled } = item;
  const isAdmin = useIsAdmin();
  const diff = useLive("GET /api/v1/servers/{name}/items/diff", {
    params: { name: server_name },
    query: { kind, item: name },
  });
  const isGrave = graveOf(scan).length > 0;
  const isOpen = approval_status === "approved" && !disabled;
  const decide = async (done: Promise<boolean>) => {
    if (!(await done)) return;
    // A decided item leaves the list, so the next one takes its position.
    if (onStep) onStep(1);
    else onClose();
  };
  const pin = diff.data?.current_hash;
  const isDeciding = useRef(false);
  /** A repeated key event decides only once. */
  const once = async (act: () => Promise<boolean>) => {
    if (isDeciding.current) return;
    isDeciding.current = true;
    await decide(act());
    isDeciding.current = false;
  };
  const mayApprove = isAdmin && !isOpen && pin !== undefined;
  const keys: Shortcut[] = [
    { keys: "j", label: "Next prompt or resource", run: () => onStep?.(1) },
    { keys: "k", label: "Previous prompt or resource", run: () => onStep?.(-1) },
    { keys: "a", label: "Approve it", run: () => mayApprove && void once(() => approveItem(item, pin)) },
    { keys: "b", label: "Block it", run: () => isAdmin && !disabled && void once(() => blockItem(item)) },
  ];
  useShortcuts(onStep ? keys.map((key) => ({ ...key, inDialog: true })) : []);
  return (
    <Dialog
      title={name}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {isAdmin && !disabled && (
            <Button kind={isGrave && !isOpen ? "main" : "plain"} onClick={() => decide(blockItem(item))}>
              Block
            </Button>
          )}
          {isAdmin && !isOpen && (
            <Button
              kind={isGrave ? "bad" : "main"}
              icon={isGrave ? "warn" : "check"}
              blocked={pin === undefined && "The definition is not loaded yet."}
              onClick={() => decide(approveItem(item, pin ?? ""))}
            >
              Approve
            </Button>
          )}
        </>
      }
    >
      <div class="row">
        <ItemState item={item} />
        <Verdict scan={scan} />
        <a href={href(at("servers", server_name))}>{server_name}</a>
      </div>
      <Findings scan={scan} />
      {item.description !== "" && (
        <p class="pre">
          <Visible text={item.description} />
        </p>
      )}
      <Facts
        of={[
          ["Kind", KINDS[kind]],
          ["Title", item.title],
          ["Type", item.mime_type],
        ]}
      />
      <Shown of={diff}>
        {({ previous, current }) =>
          previous !== "" && previous !== current ? (
            <>
              <h3>What changed since the approval</h3>
              <Compare before={previous} after={current} json />
            </>
          ) : (
            <>
              <h3>Definition</h3>
              <pre class="block" tabIndex={0} role="group" aria-label="Definition">
                <Visible text={laidOut(current)} />
              </pre>
            </>
          )
        }
      </Shown>
    </Dialog>
  );
}
