/** Placeholder for the program's name in a text, with or without quotes. */
const NAME = "NAME";

/**
 * The messages of container runtimes, and of the init programs that they start, about a program that the image lacks.
 */
const TEXTS: readonly RegExp[] = [
  // runc, also below Docker, containerd and nerdctl
  /exec: NAME: (?:executable file not found|stat NAME: no such file)/,
  // runc, after it started the process: the interpreter in the first line, or the dynamic linker, does not exist
  /^exec NAME: no such file/,
  // crun, also below Podman; before version 0.15 without the name
  /^(?:crun: )?executable file (?:NAME )?not found/,
  // krun
  /Couldn't execute NAME inside the vm: No such file/,
  // runsc (gVisor)
  /error finding executable NAME in PATH/,
  /failed to load NAME: no such file/,
  // catatonit (Podman)
  /^ERROR \(catatonit:\d+\): failed to exec pid1: No such file/,
  // tini, which Docker calls docker-init
  /^\[FATAL (?:tini|docker-init) +\(\d+\)\] exec NAME failed: No such file/,
  /^\[dumb-init\] NAME: No such file/,
];

/** Whether a line of this text is such a message about `command`. */
export function lacksProgram(text: string, command: string): boolean {
  const named = text
    .replaceAll("\\", "")
    .replaceAll(command, NAME)
    .replaceAll(/["'`]NAME["'`]/g, NAME);
  return named.split("\n").some((line) => TEXTS.some((one) => one.test(line)));
}

/** The messages of engines about the init program that they lack themselves. */
const NO_INIT: readonly RegExp[] = [
  // Docker
  /docker-init/i,
  // Podman
  /init binary/i,
  /catatonit/i,
];

/** Whether an engine could not create a container because its own init program is missing. */
export const lacksInit = (text: string): boolean => NO_INIT.some((one) => one.test(text));

/** The kernel reports a missing interpreter or library in the same way as a missing program. */
export const missingProgram = (command: string, image: string) =>
  `image ${image} has no ${JSON.stringify(command)}; set isolation.image to one that has it, its interpreter and its libraries`;
