import { call, type Data, reasonOf } from "../../api.ts";
import { act, fresh } from "../../live.ts";
import { confirm } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";

export type Token = Data<"GET /api/v1/tokens">["tokens"][number];
export type Issued = Data<"POST /api/v1/tokens">;

/** `proxy`: all agent tokens, for an administrator; `own`: those of the signed-in user. */
export type Whose = "proxy" | "own";

const ROUTES = {
  proxy: {
    list: "GET /api/v1/tokens",
    regenerate: "POST /api/v1/tokens/{name}/regenerate",
    revoke: "DELETE /api/v1/tokens/{name}",
    forget: "DELETE /api/v1/tokens/{name}/permanent",
  },
  own: {
    list: "GET /api/v1/user/tokens",
    regenerate: "POST /api/v1/user/tokens/{name}/regenerate",
    revoke: "DELETE /api/v1/user/tokens/{name}",
    forget: "DELETE /api/v1/user/tokens/{name}/permanent",
  },
} as const;

/** Loads the list again. */
export const look = (whose: Whose) => fresh(ROUTES[whose].list, {});

/** @returns the token with its new secret, which is shown only once; undefined if nothing changed */
export async function regenerate({ name }: Token, whose: Whose): Promise<Issued | undefined> {
  const yes = await confirm({
    title: `Regenerate the secret of ${name}?`,
    consequence:
      "The old secret stops working immediately. Clients that use it are rejected until they have the new one.",
    verb: "Regenerate secret",
    danger: true,
  });
  if (!yes) return undefined;
  try {
    return await call(ROUTES[whose].regenerate, { params: { name } });
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
    return undefined;
  } finally {
    await look(whose);
  }
}

export async function revoke({ name }: Token, whose: Whose): Promise<void> {
  const yes = await confirm({
    title: `Revoke ${name}?`,
    consequence:
      "Clients that use the token are rejected from now on. You cannot undo this. The token stays in the list, so that you can see who had access.",
    verb: "Revoke",
    danger: true,
  });
  if (!yes) return;
  await act(ROUTES[whose].revoke, { params: { name } }, { done: `${name} is revoked` });
  await look(whose);
}

export async function forget({ name, revoked, expired }: Token, whose: Whose): Promise<void> {
  const yes = await confirm({
    title: `Delete ${name}?`,
    consequence: `${
      revoked || expired ? "" : "Clients that use the token are rejected from now on. "
    }The token is also removed from the list. You cannot undo this. Its activity records stay.`,
    verb: "Delete",
    danger: true,
  });
  if (!yes) return;
  await act(ROUTES[whose].forget, { params: { name } }, { done: `${name} is deleted` });
  await look(whose);
}
