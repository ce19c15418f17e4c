import { type CommandDef, runCommand } from "citty";
import { RestError } from "#lib/client/error.ts";
import { docsCommand, docsPath } from "#lib/core/base/docs-path.ts";
import { Fault, reasonOf } from "#lib/core/base/fault.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import { GLOBAL_ARGS, type Globals, globals } from "./args.ts";
import type { Surroundings } from "./cli.ts";
import { type Command, type CommandRun, type CommandTree, type Group, isGroup } from "./command.ts";
import { caller, daemon, streams } from "./daemon.ts";
import { EXIT, exitCode, UsageError } from "./exit.ts";
import { data, output } from "./output.ts";
import { parse } from "./parse.ts";
import { commandsAs, selfName, selfWith } from "./self.ts";
import { synonyms } from "./synonyms.ts";
import { plain } from "./table.ts";
import { commandUsage, groupUsage } from "./usage.ts";
import { version } from "./version.ts";

/** Runs one command line and returns its exit code; every failure is printed on standard error. */
export async function run(argv: readonly string[], tree: CommandTree, world: Surroundings): Promise<number> {
  const place: Place = { path: [], output: wantedOutput(argv), self: selfName() };
  try {
    return await dispatch(argv, tree, world, place);
  } catch (error) {
    const hasKey = argv.some((word) => /^--api-key(=|$)/.test(word)) || Boolean(world.env.SERVICE_API_KEY);
    await explain(error, place, hasKey, world);
    return exitCode(error);
  }
}

/** The parts of a command line that error messages use. */
interface Place {
  readonly path: string[];
  readonly output: Globals["output"];
  /** The command that starts this program, with the flags that select the proxy. */
  self: string;
  /** The words of the command that lists what this command names, such as `connect list`. */
  list?: string;
}

async function dispatch(
  argv: readonly string[],
  tree: CommandTree,
  world: Surroundings,
  place: Place,
): Promise<number> {
  const { path } = place;
  const root: Group = { meta: { name: "proxy", description: ABOUT }, subCommands: tree };
  const { found, own, after, group } = await locate(argv, root, path);
  if (path.length > 1 && Object.hasOwn(group.subCommands, "list"))
    place.list = [...path.slice(0, -1), "list"].join(" ");
  if (isGroup(found)) {
    if (path.length === 0 && own.some((word) => word === "-v" || word === "--version")) {
      world.stdout.write(`${version}\n`);
      return EXIT.ok;
    }
    parse(own, GLOBAL_ARGS, false);
    const usage = await groupUsage(path, found, path.length === 0 ? NEXT : undefined);
    if (!wantsHelp(own) && path.length > 0)
      throw new UsageError(`a command is missing: ${Object.keys(found.subCommands).join(", ")}`);
    world.stdout.write(usage);
    return EXIT.ok;
  }
  if (wantsHelp(own)) {
    world.stdout.write(commandUsage(path, found));
    return EXIT.ok;
  }
  if (found.ownUrl !== undefined) rejectUrl(after, path, found.ownUrl);
  const { args, rest, line, given } = await understood(found, own, world);
  place.self = selfWith(given);
  const send = daemon(given, world);
  const cli = {
    ...world,
    ...output(given.output, world.stdout, world.stderr),
    globals: given,
    self: place.self,
    send,
    stream: streams(given, world),
    call: caller(send, world.signal),
  };
  const ran: Ran = { call: { cli, args, rest } as Ran["call"], code: undefined };
  await runCommand(carrying(root, ran), { rawArgs: [...path, ...line] });
  return typeof ran.code === "number" ? ran.code : EXIT.ok;
}

/** Parses the arguments of a command. @throws UsageError, after printing the command's text for that case */
async function understood(found: Command, own: readonly string[], { stdout }: Surroundings) {
  try {
    const parsed = parse(own, { ...GLOBAL_ARGS, ...found.args }, found.rest !== undefined);
    return { ...parsed, given: globals(parsed.args) };
  } catch (error) {
    if (found.misused && error instanceof UsageError) stdout.write(await found.misused(error.message));
    throw error;
  }
}

/**
 * Rejects `--url` after the words of a command that stores a URL. If it were taken for the proxy, the command would send
 * the administrator's key to that URL; if it were taken for the URL to store, it would change the wrong proxy.
 *
 * @throws UsageError
 */
function rejectUrl(after: readonly string[], path: readonly string[], ownUrl: string): void {
  const end = after.indexOf("--");
  if (!(end < 0 ? after : after.slice(0, end)).some((word) => word === "--url" || word.startsWith("--url="))) return;
  const words = path.join(" ");
  throw new UsageError(
    `--url selects the proxy; write the URL to store as ${ownUrl}, or a remote proxy before the words: ${selfName()} --url <url> ${words} …`,
  );
}

interface Ran {
  call: CommandRun<Record<never, never>>;
  code: unknown;
}

/**
 * citty passes no data to sub-commands and does not return their results, so both are stored in the tree that it gets.
 */
function carrying(found: Command | Group, ran: Ran): CommandDef {
  if (!isGroup(found))
    return {
      ...found,
      async run(context) {
        ran.code = await found.run?.({ ...context, data: ran.call });
      },
    };
  const carried = Object.entries(found.subCommands).map(([word, load]) => [
    word,
    async () => carrying(await load(), ran),
  ]);
  return { ...found, subCommands: Object.assign(Object.create(null), Object.fromEntries(carried)) };
}

/** Finds the command of the first words; the remaining words are its arguments, `after` those behind the first words. */
async function locate(
  argv: readonly string[],
  root: Group,
  path: string[],
): Promise<{ found: Command | Group; own: string[]; after: readonly string[]; group: Group }> {
  let found: Command | Group = root;
  let group = root;
  const own: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === "--" || !isGroup(found)) {
      const after = argv.slice(i);
      return { found, own: [...own, ...after], after, group };
    }
    if (word.startsWith("-")) {
      own.push(word);
      if (takesValue(word) && i + 1 < argv.length) own.push(argv[++i]!);
      continue;
    }
    const load: CommandTree[string] | undefined = found.subCommands[word];
    // Also behind flags, because an alias often selects a proxy: `proxy -d folder help put`.
    if (!load && word === "help") {
      own.push("--help");
      continue;
    }
    if (!load) throw unknownCommand(word, path, Object.keys(found.subCommands));
    path.push(word);
    group = found;
    found = await load();
  }
  return { found, own, after: [], group };
}

/**
 * The error for an unknown word, with the equivalent command if other programs use that word, otherwise with similar
 * words.
 */
function unknownCommand(word: string, path: readonly string[], known: readonly string[]): UsageError {
  const same = synonyms(word, path, known).map((words) => `"${selfName()} ${words}"`);
  return new UsageError(`unknown command "${word}"`, same.length > 0 ? same : nearestWords(word, known, 2));
}

function takesValue(word: string): boolean {
  const known = Object.entries(GLOBAL_ARGS).find(
    ([name, f]) => word === `--${name}` || ("alias" in f && word === `-${f.alias}`),
  );
  return known !== undefined && known[1].type !== "boolean";
}

function wantsHelp(own: readonly string[]): boolean {
  const end = own.indexOf("--");
  return (end < 0 ? own : own.slice(0, end)).some((w) => w === "--help" || w === "-h");
}

/** The output format, which is needed for errors even if the line cannot be parsed. */
function wantedOutput(argv: readonly string[]): Globals["output"] {
  const end = argv.indexOf("--");
  const text = ` ${(end < 0 ? argv : argv.slice(0, end)).join(" ")} `;
  if (/ --json | (?:-o|--output)[ =]?json /.test(text)) return "json";
  return / (?:-o|--output)[ =]?yaml /.test(text) ? "yaml" : "table";
}

async function explain(
  error: unknown,
  { path, output: form, self, list }: Place,
  hasKey: boolean,
  { stderr }: Surroundings,
): Promise<void> {
  if (error instanceof Error && error.name === "AbortError") return;
  const { code, requestId, docs } = facts(error);
  if (form !== "table") {
    const object = {
      success: false,
      error: message(error, hasKey),
      code,
      ...(requestId && { request_id: requestId }),
      ...(docs && { docs }),
    };
    stderr.write(await data(form, object));
    return;
  }
  const text = commandsAs(self, message(error, hasKey));
  stderr.write(plain(`proxy: ${text}${requestId ? ` (request ${requestId})` : ""}\n`));
  // Programs and logs get the error alone.
  if (docs && stderr.columns !== undefined) stderr.write(commandsAs(self, `More: ${docsCommand(docs)}\n`));
  const others = LISTS[code] ?? (code === "no_such_record" ? list : undefined);
  if (others !== undefined) stderr.write(`See: ${self} ${others}\n`);
  if (error instanceof UsageError) stderr.write(`See: ${[selfName(), ...path, "--help"].join(" ")}\n`);
}

/** By error code: the command that lists what was not found. */
const LISTS: Readonly<Record<string, string>> = { server_not_found: "upstream list" };

function facts(error: unknown): { code: string; requestId?: string | undefined; docs?: string } {
  // Another proxy than this version's may answer with a code that this version does not explain, or without one.
  if (error instanceof RestError) {
    const { code, requestId, body } = error;
    return { code, requestId, ...(typeof body.docs === "string" && { docs: body.docs }) };
  }
  if (error instanceof Fault) return { code: error.code, docs: docsPath("errors", error.code) };
  return { code: error instanceof UsageError ? "usage" : "failed" };
}

function message(error: unknown, hasKey: boolean): string {
  const refused = error instanceof RestError && error.code === "unauthenticated";
  if (!refused) return reasonOf(error);
  return hasKey
    ? `${error.message}; the proxy does not accept the key in --api-key or SERVICE_API_KEY`
    : `${error.message}; set the key with --api-key or SERVICE_API_KEY`;
}

const ABOUT = "proxy: one safe, fast endpoint in front of every MCP server";
const NEXT = `Get started:
  proxy setup                        import the servers of your MCP clients and connect these to the proxy
  proxy serve --demo                 run the proxy with a demo server
  proxy status                       show the status of the running proxy
  proxy upstream add fs -- npx -y @modelcontextprotocol/server-filesystem "$PWD"`;
