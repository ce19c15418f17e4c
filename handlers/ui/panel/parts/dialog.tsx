import { type ComponentChildren, Fragment, type VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { createValue, useValue } from "../value.ts";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Buttons, the one that closes first. */
  actions?: ComponentChildren;
  /** `wide` for forms and comparisons. */
  size?: "narrow" | "wide";
  onClose(): void;
}

/** A modal window: the browser keeps the focus in it, closes it on Escape and gives the focus back. */
export function Dialog({ title, children, actions, size = "narrow", onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const from = document.activeElement;
    dialog?.showModal();
    // What is to be filled in comes before the button that closes; in a question that is the harmless answer.
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
      // Only a press that also began on the backdrop: selecting text may end there.
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
  /** What will be the case afterwards, and what cannot be taken back. */
  consequence: ComponentChildren;
  /** The verb on the button: never just OK. */
  verb: string;
  danger?: boolean;
  /** To be typed before the button works, for what cannot be undone. */
  typed?: string;
}

/** The window that is open and its end; a new one replaces it. */
interface Opened {
  draw(): VNode;
  cancel(): void;
}

const opened = createValue<Opened | undefined>(undefined);

/**
 * Opens a window over the page and waits until it is answered.
 *
 * @param draw draws the window; `answer()` without a value cancels
 * @returns the answer; undefined when the person cancels or another window opens
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

/** Asks before something is done. @returns whether the person wants it */
export async function confirm(question: Question): Promise<boolean> {
  return (await ask<true>((answer) => <Confirm {...question} answer={answer} />)) === true;
}

/** The place where windows opened by `ask` appear. */
export function Questions() {
  return useValue(opened)?.draw() ?? null;
}

/** The filled button is the safe answer: where the act is dangerous, that is to cancel. */
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
