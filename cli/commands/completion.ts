import { command } from "../command.ts";
import { SHELLS } from "../completion/scripts.ts";
import { UsageError } from "../exit.ts";

export default command({
  meta: {
    group: "program",
    description: "Print the completion script of a shell",
    detail: `Completes commands, flags and, while a proxy runs, names of servers, tools, tokens and profiles. The packages install the scripts of bash, zsh and fish. Otherwise, load the script when the shell starts:
  bash:        source <(proxy completion bash), in ~/.bashrc
  zsh:         source <(proxy completion zsh), in ~/.zshrc after compinit
  fish:        proxy completion fish | source, in ~/.config/fish/config.fish
  PowerShell:  proxy completion powershell | Out-String | Invoke-Expression, in $PROFILE`,
    examples: ["proxy completion bash"],
  },
  args: { shell: { type: "positional", description: SHELLS.join(", ") } },
  async run({ cli, args }) {
    const shell = SHELLS.find((name) => name === args.shell);
    if (shell === undefined) throw new UsageError(`"${args.shell}" is not supported; use ${SHELLS.join(", ")}`);
    const { commands } = await import("../commands.gen.ts");
    const { completionScripts } = await import("../completion/scripts.ts");
    cli.stdout.write((await completionScripts(commands))[shell]);
  },
});
