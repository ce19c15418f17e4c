import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { createValue, useValue } from "../value.ts";
import { Button } from "./button.tsx";

export interface DialogProps {
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

export interface Question {
  title: string;
  /** What will be the case afterwards, and what cannot be taken back. */
  consequence: ComponentChildren;
  /** The verb on the button: never just OK. */
  verb: string;
  danger?: boolean;
  /** To be typed before the button works, for what cannot be undone. */
  typed?: string;
}

const asked = createValue<(Question & { answer(yes: boolean): void }) | undefined>(undefined);

/** Asks before something is done. @returns whether the person wants it */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false);
  return new Promise((done) => {
    asked.set({
      ...question,
      answer(yes) {
        asked.set(undefined);
        done(yes);
      },
    });
  });
}

/** The place where questions appear. */
export function Questions() {
  const question = useValue(asked);
  return question ? <Ask key={question.title} {...question} /> : null;
}

function Ask({ title, consequence, verb, danger, typed, answer }: Question & { answer(yes: boolean): void }) {
  const [text, setText] = useState("");
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button
            kind={danger ? "bad" : "main"}
            disabled={typed !== undefined && text !== typed}
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
