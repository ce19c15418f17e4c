import * as v from "valibot";
import type { App } from "../../core/app.ts";
import { Passkey } from "./passkey.ts";

const KEY = "passkeys";

type StoreApp = Pick<App, "store">;

/** All passkeys, oldest first. */
export async function storedPasskeys({ store }: StoreApp): Promise<Passkey[]> {
  return listOf(await store.documents.get(KEY));
}

/** Replaces the list of passkeys in one step with reading it. @param edit may throw */
export async function changePasskeys({ store }: StoreApp, edit: (now: Passkey[]) => Passkey[]): Promise<void> {
  await store.documents.change(KEY, (current) => edit(listOf(current)));
}

function listOf(stored: unknown): Passkey[] {
  return Array.isArray(stored) ? stored.filter((one): one is Passkey => v.is(Passkey, one)) : [];
}
