import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { guardLeaving } from "../route.ts";
import { Button } from "./button.tsx";
import { confirm } from "./dialog.tsx";

/** Asks before a page is left whose changes would be lost. @param lost says what; undefined when nothing would be */
export function useUnsaved(lost: string | undefined): void {
  useEffect(() => {
    const ask = (consequence: string) => () =>
      confirm({ title: "Discard unsaved changes?", consequence, verb: "Leave", danger: true });
    guardLeaving(lost === undefined ? undefined : ask(lost));
    return () => guardLeaving(undefined);
  }, [lost]);
}

/** What is not saved yet, at the lower edge of the page, with both ways out. */
export function SaveBar(props: {
  children: ComponentChildren;
  /** Why it cannot be saved as it is. */
  blocked?: string | false;
  onDiscard(): void;
  /** Left out within a form, which saves when it is submitted. */
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
