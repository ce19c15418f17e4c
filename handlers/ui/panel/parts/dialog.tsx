import { type ComponentChildren, Fragment, type VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { createValue, useValue } from "../value.ts";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** The buttons; the one that closes comes first. */
  actions?: ComponentChildren;
  /** `wide` for forms and comparisons. */
  size?: "narrow" | "wide";
  onClose(): void;
}

/** A modal dialog: the browser keeps the focus in it, closes it on Escape and restores the focus. */
export function Dialog({ title, children, actions, size = "narrow", onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const from = document.activeElement;
    dialog?.showModal();
    // A field gets the focus before the closing button, which is the harmless choice of a question.
    const field = dialog?.querySelector<HTMLElement>(".dialog-content :is(input, textarea, select)");
    (field ?? dialog?.querySelector<HTMLElement>("footer button"))?.focus();
    return () => {
      dialog?.close();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Only a click that also started on the backdrop closes the dialog: selecting text may end there.
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="bare" icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="dialog-content">{children}</div>
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}

interface Question {
  title: string;
  /** The consequences, and what cannot be undone. */
  consequence: ComponentChildren;
  /** The verb on the button; never "OK". */
  verb: string;
  danger?: boolean;
  /** Text that the user must type to enable the button, for actions that cannot be undone. */
  typed?: string;
}

/** The open dialog and its promise; a new dialog replaces it. */
interface Opened {
  draw(): VNode;
  cancel(): void;
}

const opened = createValue<Opened | undefined>(undefined);

/**
 * Opens a dialog and waits for the answer.
 *
 * @param draw renders the dialog; `answer()` without a value cancels
 * @returns the answer; undefined if the user cancels or another dialog opens
 */
export function ask<T>(draw: (answer: (value?: T) => void) => VNode): Promise<T | undefined> {
  opened.get()?.cancel();
  return new Promise((done) => {
    const answer = (value?: T) => {
      if (opened.get() === mine) opened.set(undefined);
      done(value);
    };
    const mine: Opened = { draw: () => <Fragment key={mine}>{draw(answer)}</Fragment>, cancel: () => answer() };
    opened.set(mine);
  });
}

/** Asks the user for confirmation. @returns whether the user confirmed */
export async function confirm(question: Question): Promise<boolean> {
  return (await ask<true>((answer) => <Confirm {...question} answer={answer} />)) === true;
}

/** Renders the dialogs opened by `ask`. */
export function Questions() {
  return useValue(opened)?.draw() ?? null;
}

/** The filled button is the safe choice: for a dangerous action, that is to cancel. */
function Confirm({ title, consequence, verb, danger, typed, answer }: Question & { answer(yes?: true): void }) {
  const [text, setText] = useState("");
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={() => answer()}
      actions={
        <>
          <Button kind={danger ? "main" : "plain"} onClick={() => answer()}>
            Cancel
          </Button>
          <Button
            kind={danger ? "bad" : "main"}
            blocked={typed !== undefined && text !== typed && `Enter ${typed} first.`}
            onClick={() => answer(true)}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div class="prose">{typeof consequence === "string" ? <p>{consequence}</p> : consequence}</div>
      {typed !== undefined && (
        <div class="field">
          <label for={id}>
            Type <code>{typed}</code> to go on
          </label>
          <input
            id={id}
            class="input"
            autocomplete="off"
            value={text}
            onInput={(e) => setText(e.currentTarget.value)}
          />
        </div>
      )}
    </Dialog>
  );
}
