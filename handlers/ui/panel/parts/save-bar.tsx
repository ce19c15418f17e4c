import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { guardLeaving } from "../route.ts";
import { Button } from "./button.tsx";
import { confirm } from "./dialog.tsx";

/** Asks before the user leaves a page with unsaved changes. @param lost describes them; undefined if there are none */
export function useUnsaved(lost: string | undefined): void {
  useEffect(() => {
    const ask = (consequence: string) => () =>
      confirm({ title: "Discard unsaved changes?", consequence, verb: "Leave", danger: true });
    guardLeaving(lost === undefined ? undefined : ask(lost));
    return () => guardLeaving(undefined);
  }, [lost]);
}

/** A bar at the lower edge of the page for unsaved changes, to save or discard them. */
export function SaveBar(props: {
  children: ComponentChildren;
  /** Why saving is disabled. */
  blocked?: string | false;
  onDiscard(): void;
  /** Absent within a form, which saves on submit. */
  onSave?: () => unknown;
}) {
  const { children, blocked, onDiscard, onSave } = props;
  return (
    <div class="save-bar" role="region" aria-label="Unsaved changes">
      <div class="grow" role="status">
        {children}
      </div>
      <Button onClick={onDiscard}>Discard</Button>
      <Button kind="main" type={onSave ? "button" : "submit"} blocked={blocked} {...(onSave && { onClick: onSave })}>
        Save
      </Button>
    </div>
  );
}
