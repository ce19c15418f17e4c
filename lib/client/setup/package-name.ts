interface Start {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
}

/** The complete command line. */
export const commandOf = ({ command = "", args = [] }: Start): string => [command, ...args].join(" ");

/** Package runners. */
const RUNNERS = /^(?:npx|bunx|uvx|pipx|pnpm|yarn)(?:\.(?:cmd|exe))?$/i;

/** The familiar name of a server: the package that a runner starts, or the program's name. */
export function packageOf({ command = "", args = [] }: Start): string {
  const program = command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1);
  const words = args.filter((word) => !word.startsWith("-") && !/^(?:dlx|run|exec|tool)$/.test(word));
  return RUNNERS.test(program) && words[0] ? words[0] : commandOf({ command: program, args });
}
