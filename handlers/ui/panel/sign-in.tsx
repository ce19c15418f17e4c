import { useEffect, useRef, useState } from "preact/hooks";
import { reasonOf } from "./api.ts";
import { Button } from "./parts/button.tsx";
import { Snippet } from "./parts/copy.tsx";
import { Field } from "./parts/field.tsx";
import { Mark } from "./parts/mark.tsx";
import { signInWithPasskey } from "./passkeys.ts";
import { findSession, session, signIn } from "./session.ts";

const here = () => location.pathname + location.search;

/** Asks for the key, exchanges it for a cookie and does not store it. */
export function SignIn({ failure }: { failure?: string | undefined }) {
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState(failure);
  const { provider, passkeys = false } = session.get() ?? {};
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A session may end while the focus is in a form, which is gone now; `autofocus` applies to the first page only.
    field.current?.focus();
    document.title = "Sign in · proxy";
    // The person may have signed in in another tab, with `proxy ui`.
    const look = () => void findSession();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  const attempt = async (signingIn: Promise<void>) => {
    try {
      await signingIn;
    } catch (error) {
      setWrong(reasonOf(error));
    }
  };
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(signIn({ key: key.trim() }));
        }}
      >
        <Mark size={36} />
        <h1>Sign in</h1>
        {provider !== undefined && (
          <a class="button main" href={`/api/v1/auth/login?redirect_uri=${encodeURIComponent(here())}`}>
            Sign in with {provider}
          </a>
        )}
        {passkeys && (
          <Button kind="main" onClick={() => attempt(signInWithPasskey())}>
            Sign in with a passkey
          </Button>
        )}
        <p class="muted">On the machine that runs the proxy, the quickest way is:</p>
        <Snippet text="proxy ui" label="command" />
        <Field label="Or enter the API key" error={wrong}>
          {(attributes) => (
            <input
              {...attributes}
              ref={field}
              class="input mono"
              type="password"
              name="key"
              autocomplete="current-password"
              value={key}
              onInput={(e) => setKey(e.currentTarget.value)}
            />
          )}
        </Field>
        <Button kind="main" type="submit" blocked={key.trim() === "" && "Enter the API key first."}>
          Sign in
        </Button>
        <p class="hint">
          The key is <code>api_key</code> in the configuration file; <code>proxy config path</code> prints the path of
          that file. The browser exchanges the key for a cookie and does not store it.
        </p>
      </form>
    </main>
  );
}
