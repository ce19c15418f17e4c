import { excerpt } from "../../../core/base/excerpt.ts";
import type { Finding, Severity } from "../../../core/schema/scan-finding.ts";

interface Pattern {
  rule: string;
  severity: Severity;
  explanation: string;
  /** Any of the file's lines. Bounded from each place, so that no file takes long. */
  pattern: RegExp;
}

/** What programs that steal or load things look like, in the languages that servers are written in. */
const PATTERNS: readonly Pattern[] = [
  {
    rule: "source.decoded_code",
    severity: "high",
    explanation: "runs code that it decodes first",
    pattern:
      /\b(?:eval|Function|exec|compile)\s?\(\s?(?:atob|Buffer\.from|base64\.b64decode|zlib\.decompress|bytes\.fromhex|codecs\.decode|marshal\.loads|unescape)\b|\bnew Function\s?\(\s?(?:atob|Buffer)/,
  },
  {
    rule: "source.download_and_run",
    severity: "high",
    explanation: "loads a script from the network and runs it",
    pattern:
      /\b(?:curl|wget)\b[^|"'`\n]{0,120}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b|\bIEX\s?\(|\bDownloadString\s?\(|\bpowershell\b[^\n]{0,30}-e(?:nc|ncodedcommand)\b|\beval\s?\(\s?(?:await )?(?:fetch|urllib|requests)\b/i,
  },
  {
    rule: "source.reverse_shell",
    severity: "critical",
    explanation: "opens a shell to somebody else",
    pattern:
      /\/dev\/tcp\/\d|\bnc(?:at)?\b[^\n]{0,40}\s-e\s?\/bin\/|\bpty\.spawn\s?\(\s?["']\/bin\/(?:ba)?sh|socket[^\n]{0,80}dup2\s?\(/,
  },
  {
    rule: "source.credentials_read",
    severity: "medium",
    explanation: "names files that hold credentials",
    pattern:
      /["'`/\\]\.ssh[/\\](?:id_|authorized_keys)|["'`/\\]\.aws[/\\]credentials|["'`/\\]\.git-credentials|Login Data["'`]|wallet\.dat|["'`/\\]\.config[/\\]gh[/\\]hosts|\/etc\/shadow/,
  },
  {
    rule: "source.environment_sent",
    severity: "high",
    explanation: "puts its whole environment into a request or a text",
    pattern:
      /JSON\.stringify\s?\(\s?(?:\{\s?\.\.\.)?process\.env\b|\bbody\s?[:=]\s?[^\n]{0,40}process\.env\s?[,)}\n]|json\.dumps\s?\(\s?(?:dict\s?\(\s?)?os\.environ\b|data\s?=\s?(?:dict\s?\(\s?)?os\.environ\b/,
  },
  {
    rule: "source.obfuscated",
    severity: "medium",
    explanation: "is written so that nobody can read it",
    pattern:
      /(?:\b_0x[0-9a-f]{4,6}\b[^\n]{0,60}){6}|(?:\\x[0-9a-f]{2}){60}|(?:String\.fromCharCode\s?\(\s?(?:\d{1,3}\s?,\s?){30})/,
  },
  {
    rule: "source.dead_drop",
    severity: "high",
    explanation: "speaks to a place where stolen data is commonly left",
    pattern:
      /\b(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|burpcollaborator\.net|interact\.sh|oast\.(?:fun|live|pro|site)|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot)/,
  },
  {
    rule: "source.persistence",
    severity: "medium",
    explanation: "changes what starts with the computer, the shell or an MCP client",
    pattern:
      /(?:append|write)[^\n]{0,60}\.(?:bashrc|zshrc|profile)\b|authorized_keys["'`][^\n]{0,40}(?:append|write)|(?:append|write)[^\n]{0,60}authorized_keys|crontab -\b|claude_desktop_config\.json["'`][^\n]{0,60}write|HKCU\\+Software\\+Microsoft\\+Windows\\+CurrentVersion\\+Run/i,
  },
  {
    rule: "source.hidden_characters",
    severity: "high",
    explanation: "holds characters that show code otherwise than it runs",
    pattern: /[\u202a-\u202e\u2066-\u2069]|[\u{e0001}-\u{e007f}]{4}/u,
  },
];

/** Most of one file that is read (characters), and most findings of it. */
const MAX_FILE_CHARACTERS = 512 * 1024;

/** What looks wrong in one file of a program. @param path as it is shown */
export function scanSource(path: string, text: string): Finding[] {
  const read = text.slice(0, MAX_FILE_CHARACTERS);
  return PATTERNS.flatMap(({ rule, severity, explanation, pattern }) => {
    const at = read.search(pattern);
    if (at < 0) return [];
    const line = read.slice(0, at).split("\n").length;
    return [{ rule, severity, location: `${path}:${line}`, excerpt: excerpt(read, at, 120), explanation }];
  });
}
