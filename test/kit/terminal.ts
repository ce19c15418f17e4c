import { PassThrough } from "node:stream";
import type { CommandTree } from "#cli/command.ts";
import { run } from "#cli/run.ts";

/** The end of a prompt: `[y/N]: `, a list of answers such as `[q]uit: `, an argument (its type), or a name to type. */
const PROMPT = /(?:\[y\/N\]|\[[a-z]\][a-z]+|approve anyway|\)): $/;

export type Answer = string | (() => Promise<string>);

/**
 * Runs one command line at a terminal with typed answers.
 *
 * @param answers typed in order, each at a prompt; a function is called first, for events while the person reads. After
 *   the last answer the input ends
 */
export async function atTerminal(
  argv: readonly string[],
  tree: CommandTree,
  { env, answers }: { env: Record<string, string>; answers: readonly Answer[] },
): Promise<{ code: number; out: string; err: string; left: number }> {
  const left = [...answers];
  let [out, err] = ["", ""];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const code = await run(argv, tree, {
    env,
    stdin,
    stdout: {
      write: (text) => {
        out += text;
      },
      color: false,
    },
    stderr: {
      write: (text) => {
        err += text;
        if (!PROMPT.test(text)) return;
        const answer = left.shift();
        if (answer === undefined) stdin.end();
        else if (typeof answer === "string") stdin.write(`${answer}\n`);
        else void answer().then((text) => stdin.write(`${text}\n`));
      },
      color: false,
    },
    signal: new AbortController().signal,
  });
  return { code, out, err, left: left.length };
}
