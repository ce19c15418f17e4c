/** What a server's start runs or contacts, as far as its command line shows. */
export interface Launch {
  /** The origin of what is started: a package registry, an image, a local program, or a remote service. */
  readonly source: "npm" | "pypi" | "image" | "program" | "remote";
  /** Name of the package or image, path of the program, or URL. */
  readonly name: string;
  /** The requested version as written: exact, a range or a tag. Absent for the newest. */
  readonly version?: string;
  /** Digest of an image that is named by one. */
  readonly digest?: string;
  /** Whether every start runs exactly the same version. */
  readonly pinned: boolean;
}

interface Definition {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

const EXACT = /^v?\d+(?:\.\d+){1,3}(?:[.-]?[0-9A-Za-z.+-]*)?$/;

/** Package runners, with the words before the package: `npm exec`, `pnpm dlx`, `uv tool run`. */
const RUNNERS: Readonly<Record<string, { source: "npm" | "pypi"; words: readonly string[]; spec: readonly string[] }>> =
  {
    npx: { source: "npm", words: [], spec: ["-p", "--package"] },
    bunx: { source: "npm", words: [], spec: ["-p", "--package"] },
    pnpx: { source: "npm", words: [], spec: ["-p", "--package"] },
    npm: { source: "npm", words: ["exec", "x"], spec: ["-p", "--package"] },
    pnpm: { source: "npm", words: ["dlx", "exec"], spec: ["-p", "--package"] },
    yarn: { source: "npm", words: ["dlx"], spec: ["-p", "--package"] },
    bun: { source: "npm", words: ["x"], spec: ["-p", "--package"] },
    uvx: { source: "pypi", words: [], spec: ["--from"] },
    uv: { source: "pypi", words: ["tool", "run", "x"], spec: ["--from", "--with"] },
    pipx: { source: "pypi", words: ["run"], spec: ["--spec"] },
  };
/** Flags of these runners that take a value. */
const FLAGS_WITH_VALUE = new Set([
  "-c",
  "--call",
  "--python",
  "-p",
  "--index-url",
  "--extra-index-url",
  "--index",
  "--registry",
  "--prefix",
  "--cache",
  "--with",
  "--directory",
  "-w",
  "--workspace",
]);

/** Interprets a server's definition. Pure; nothing is looked up. */
export function launchOf({ command, args = [], url }: Definition): Launch {
  if (!command) return { source: "remote", name: url ?? "", pinned: false };
  const program = command
    .replaceAll("\\", "/")
    .split("/")
    .at(-1)!
    .replace(/\.(?:exe|cmd|bat)$/i, "");
  // On Windows, runners are started through the shell.
  if (program === "cmd" && args[0]?.toLowerCase() === "/c" && args[1])
    return launchOf({ command: args[1], args: args.slice(2) });
  if (/^(?:docker|podman|nerdctl)$/.test(program)) return image(args) ?? started(command, args);
  const runner = RUNNERS[program];
  return (runner && packaged(runner, args)) ?? started(command, args);
}

function packaged({ source, words, spec }: (typeof RUNNERS)[string], args: readonly string[]): Launch | undefined {
  let packageSpec: string | undefined;
  let word = words.length === 0;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const [flag, value] =
      arg.startsWith("--") && arg.includes("=") ? split(arg, arg.indexOf("="), 1) : [arg, undefined];
    if (flag === "--") continue;
    if (flag.startsWith("-")) {
      if (spec.includes(flag) && packageSpec === undefined && flag !== "--with") packageSpec = value ?? args[++i];
      else if (value === undefined && FLAGS_WITH_VALUE.has(flag)) i++;
    } else if (!word || words.includes(arg)) {
      if (!words.includes(arg)) return undefined;
      word = true;
    } else {
      packageSpec ??= arg;
      break;
    }
  }
  if (packageSpec === undefined || /^(?:\.{0,2}\/|file:)/.test(packageSpec)) return undefined;
  return source === "npm" ? npm(packageSpec) : pypi(packageSpec);
}

function npm(spec: string): Launch {
  const at = spec.indexOf("@", 1);
  const [name, version] = at < 0 ? [spec, undefined] : split(spec, at, 1);
  return { source: "npm", name, ...(version && { version }), pinned: version !== undefined && EXACT.test(version) };
}

function pypi(spec: string): Launch {
  const [, name = spec, , operator, version] =
    /^([\w.-]+)(\[[^\]]*\])?(?:(==|@|>=|~=|<=|>|<)\s*(.+))?$/.exec(spec) ?? [];
  const exact = (operator === "==" || operator === "@") && EXACT.test(version ?? "");
  const statedVersion =
    version === undefined ? undefined : operator === "==" || operator === "@" ? version : `${operator}${version}`;
  return {
    source: "pypi",
    name: name.toLowerCase().replace(/[_.]+/g, (s) => (s === "." ? "." : "-")),
    ...(statedVersion && { version: statedVersion }),
    pinned: exact,
  };
}

/** Flags of `docker run` without a value; every other flag takes one. */
const FLAGS_WITHOUT_VALUE = new Set([
  "-i",
  "-t",
  "-it",
  "-d",
  "-P",
  "--rm",
  "--init",
  "--interactive",
  "--tty",
  "--detach",
  "--privileged",
  "--read-only",
  "--publish-all",
  "--no-healthcheck",
  "--oom-kill-disable",
  "--sig-proxy",
  "--quiet",
  "-q",
]);

function image(args: readonly string[]): Launch | undefined {
  const run = args.indexOf("run");
  if (run < 0) return undefined;
  for (let i = run + 1; i < args.length; i++) {
    const arg = args[i]!;
    if (!arg.startsWith("-")) return imageOf(arg);
    if (!arg.includes("=") && !FLAGS_WITHOUT_VALUE.has(arg) && !/^-[itdP]+$/.test(arg)) i++;
  }
  return undefined;
}

function imageOf(text: string): Launch {
  const at = text.indexOf("@");
  const [named, digest] = at < 0 ? [text, undefined] : split(text, at, 1);
  const colon = named.lastIndexOf(":");
  const [name, version] = colon > named.lastIndexOf("/") ? split(named, colon, 1) : [named, undefined];
  return {
    source: "image",
    name,
    ...(version && { version }),
    ...(digest && { digest }),
    pinned: digest !== undefined,
  };
}

/** A local program. For an interpreter, the script is what counts. */
function started(command: string, args: readonly string[]): Launch {
  const script = /(?:^|[\\/])(?:node|bun|deno|python[\d.]*|ruby|php|sh|bash)(?:\.exe)?$/i.test(command)
    ? args.find((arg) => !arg.startsWith("-") && arg !== "run")
    : undefined;
  return { source: "program", name: script ?? command, pinned: true };
}

function split(text: string, at: number, width: number): [string, string] {
  return [text.slice(0, at), text.slice(at + width)];
}
