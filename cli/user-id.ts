import { foldEmail } from "#lib/modules/team/email.ts";
import type { Cli } from "./cli.ts";

/** Finds a user's ID by email address or ID; an address that several accounts have is not accepted. */
export async function userId({ call }: Cli, named: string): Promise<string> {
  const { users } = await call("GET /api/v1/admin/users", {});
  const fitting = users.filter(({ email }) => email === foldEmail(named));
  return fitting.length === 1 ? fitting[0]!.id : named;
}
