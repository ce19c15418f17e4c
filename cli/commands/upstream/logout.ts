import { command } from "../../command.ts";
import { signOut } from "../../sign-out.ts";

export default command({
  meta: {
    description: "Sign out of upstream servers: revoke and delete their tokens",
    examples: ["proxy upstream logout linear", "proxy upstream logout --all"],
  },
  args: {
    names: { type: "positional", names: "servers", description: "server names", many: true, required: false },
    all: { type: "boolean", description: "every server with a sign-in" },
  },
  run: ({ cli, args }) => signOut(cli, args.names, args.all),
});
