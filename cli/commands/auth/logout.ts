import { command } from "../../command.ts";
import { signOut } from "../../sign-out.ts";

export default command({
  meta: {
    description: "Sign out of an upstream server; same as `proxy upstream logout`",
    examples: ["proxy auth logout --server linear"],
  },
  args: {
    server: { type: "string", alias: "s", names: "servers", description: "server name" },
    all: { type: "boolean", description: "every server with a sign-in" },
  },
  run: ({ cli, args }) => signOut(cli, args.server === undefined ? [] : [args.server], args.all),
});
