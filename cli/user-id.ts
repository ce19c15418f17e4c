import { foldEmail } from "#lib/modules/team/email.ts";
import type { Cli } from "./cli.ts";

/** The id of a user by address or id; an address that several accounts have names none, and neither does an unknown one. */
export async function userId({ call }: Cli, named: string): Promise<string> {
  const { users } = await call("GET /api/v1/admin/users", {});
  const fitting = users.filter(({ email }) => email === foldEmail(named));
  return fitting.length === 1 ? fitting[0]!.id : named;
}
