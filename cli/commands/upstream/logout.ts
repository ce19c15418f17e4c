import { command } from "../../command.ts";
import { signOut } from "../../sign-out.ts";

export default command({
  meta: {
    description: "Sign out of upstream servers: forget their tokens, and have them ended at the provider",
    examples: ["proxy upstream logout linear", "proxy upstream logout --all"],
  },
  args: {
    names: { type: "positional", description: "server names", many: true, required: false },
    all: { type: "boolean", description: "every server somebody signed in to" },
  },
  run: ({ cli, args }) => signOut(cli, args.names, args.all),
});
