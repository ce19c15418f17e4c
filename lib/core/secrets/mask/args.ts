import { maskSecret } from "./mask.ts";
import { isSecretHeader, isSecretVariable } from "./names.ts";
import { scrubText } from "./text.ts";

const ASSIGNMENT = /^(-{0,2}([A-Za-z_][\w.-]*)=)(.*)$/s;
const FLAG = /^--?([A-Za-z][\w.-]*)$/;
/** Arguments that are a flag themselves, so they are not the value of the flag before them. */
const NEXT_FLAG = /^(?:--[A-Za-z][\w.-]*(?:=.*)?|-[A-Za-z])$/s;
const HEADER = /^([\w-]{1,128}):(\s*)(.*)$/s;

/**
 * Masks the credentials of a command line, argument by argument: `--api-key X`, `--api-key=X`, `KEY=X`, the value of a
 * sensitive header after `-H`, the password after `-u name:`, and everything that has the form of a secret (spec 000
 * §2.9 rules 3 and 4).
 */
export function maskArgs(args: readonly string[]): string[] {
  return args.map((arg, i) => maskArg(arg, args[i - 1] ?? ""));
}

function maskArg(arg: string, before: string): string {
  const flag = FLAG.exec(before)?.[1];
  if (flag !== undefined && !NEXT_FLAG.test(arg)) {
    if (isSecretVariable(flag) && !/^no-/i.test(flag)) return maskSecret(arg);
    if (before === "-u" || before === "--user") return maskPassword(arg);
    if (before === "-H" || before === "--header") return maskHeaderText(arg);
  }
  const [, head, name, value] = ASSIGNMENT.exec(arg) ?? [];
  if (head !== undefined && name !== undefined && value !== undefined)
    return head + (isSecretVariable(name) ? maskSecret(value) : scrubText(value));
  return scrubText(arg);
}

function maskPassword(arg: string): string {
  const colon = arg.indexOf(":");
  return colon < 0 ? scrubText(arg) : arg.slice(0, colon + 1) + maskSecret(arg.slice(colon + 1));
}

function maskHeaderText(arg: string): string {
  const [, name, space, value] = HEADER.exec(arg) ?? [];
  if (name === undefined || value === undefined || !isSecretHeader(name)) return scrubText(arg);
  return `${name}:${space}${maskSecret(value)}`;
}
