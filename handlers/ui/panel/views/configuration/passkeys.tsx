import { useState } from "preact/hooks";
import { type Data, reasonOf } from "../../api.ts";
import { act, fresh, useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { addPasskey } from "../../passkeys.ts";

type Passkey = Data<"GET /api/v1/passkeys">["passkeys"][number];

/** The passkeys with which the person signs in to the panel, besides the link of `proxy ui` and the API key. */
export function Passkeys() {
  const answer = useLive("GET /api/v1/passkeys", {});
  return (
    <>
      <Section title="Passkeys" flush>
        <Shown of={answer} lines={2}>
          {({ passkeys }) =>
            passkeys.length === 0 ? (
              <Empty icon="secrets" title="No passkeys yet">
                With a passkey you sign in by fingerprint, face or PIN instead of the API key.
              </Empty>
            ) : (
              <ul class="lines" aria-label="Passkeys">
                {passkeys.map((passkey) => (
                  <Row key={passkey.id} passkey={passkey} />
                ))}
              </ul>
            )
          }
        </Shown>
      </Section>
      <Add />
    </>
  );
}

function Row({ passkey: { id, name, host, created_at, last_used_at } }: { passkey: Passkey }) {
  const remove = async () => {
    const yes = await confirm({
      title: `Remove ${name}?`,
      consequence:
        "Browsers that signed in with it are signed out. The passkey stays in the authenticator, without use.",
      verb: "Remove",
      danger: true,
    });
    if (!yes) return;
    await act("DELETE /api/v1/passkeys/{id}", { params: { id } }, { done: `${name} is removed` });
    await fresh("GET /api/v1/passkeys", {});
  };
  return (
    <li>
      <div class="grow">
        <span class="name">{name}</span>
        <p class="muted">
          for {host}, added <Time at={created_at} />,{" "}
          {last_used_at ? (
            <>
              last used <Time at={last_used_at} />
            </>
          ) : (
            "never used"
          )}
        </p>
      </div>
      <Button small label={`Remove ${name}`} onClick={remove}>
        Remove
      </Button>
    </li>
  );
}

function Add() {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string>();
  const add = async () => {
    setWrong(undefined);
    try {
      await addPasskey(name.trim());
      setName("");
    } catch (error) {
      setWrong(reasonOf(error));
    }
    await fresh("GET /api/v1/passkeys", {});
  };
  return (
    <Section title="Add a passkey">
      <Field
        label="Name"
        hint={`Such as the name of this device. The passkey works at ${location.hostname} only.`}
        error={wrong}
      >
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            maxLength={64}
            value={name}
            onInput={(e) => setName(e.currentTarget.value)}
          />
        )}
      </Field>
      <Button kind="main" onClick={add} blocked={name.trim() === "" && "Enter a name first."}>
        Add a passkey
      </Button>
    </Section>
  );
}
