/** Where a text names a program, this stands for it: in whatever quotes, or in none. */
const NAME = "NAME";

/** How runtimes say that an image lacks a program, and how the inits do that they start as the first process. */
const TEXTS: readonly RegExp[] = [
  // runc, also below Docker, containerd and nerdctl
  /exec: NAME: (?:executable file not found|stat NAME: no such file)/,
  // runc, once the process is its own: the interpreter of the first line, or the dynamic linker, is absent
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

/** Whether an engine, a runtime or an init says with one of these lines that it did not find `command` in the image. */
export function lacksProgram(text: string, command: string): boolean {
  const named = text
    .replaceAll("\\", "")
    .replaceAll(command, NAME)
    .replaceAll(/["'`]NAME["'`]/g, NAME);
  return named.split("\n").some((line) => TEXTS.some((one) => one.test(line)));
}

/** The kernel tells of a missing interpreter or library as it tells of a missing program. */
export const missingProgram = (command: string, image: string) =>
  `image ${image} has no ${JSON.stringify(command)}; set isolation.image to one that has it, its interpreter and its libraries`;
