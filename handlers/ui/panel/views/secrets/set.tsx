import { useState } from "preact/hooks";
import { call, reasonOf } from "../../api.ts";
import { fresh } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Input } from "../../parts/field.tsx";
import { toast } from "../../parts/toast.tsx";

/** Stores a secret under a new name, or a new value of a known one. The text is hidden and never shown again. */
export function SetSecret({ name: known, onClose }: { name?: string | undefined; onClose(): void }) {
  const [name, setName] = useState(known ?? "");
  const [value, setValue] = useState("");
  const [wrong, setWrong] = useState<string>();
  const reference = `\${keyring:${name.trim() || "NAME"}}`;
  const save = async () => {
    setWrong(undefined);
    try {
      const { message } = await call("POST /api/v1/secrets", { body: { name: name.trim(), value } });
      setValue("");
      toast(message);
      await fresh("GET /api/v1/secrets", {});
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  return (
    <Dialog title={known ? `New value for ${known}` : "Add a secret"} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {known === undefined && (
          <Input
            label="Name"
            hint="Letters, digits, dots, dashes and underscores."
            mono
            autocomplete="off"
            value={name}
            onValue={setName}
          />
        )}
        <Field label="Value" hint="The proxy stores the value and never shows it again." error={wrong}>
          {(attributes) => (
            <input
              {...attributes}
              class="input mono"
              type="password"
              autocomplete="new-password"
              value={value}
              onInput={(e) => setValue(e.currentTarget.value)}
            />
          )}
        </Field>
        <p class="hint">
          In a server definition, write <code>{reference}</code> <Copy text={reference} label="Copy reference" />
        </p>
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="main"
            type="submit"
            blocked={(name.trim() === "" && "Enter a name first.") || (value === "" && "Enter a value first.")}
          >
            Store secret
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
