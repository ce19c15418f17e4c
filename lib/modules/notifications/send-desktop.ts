import { spawn } from "node:child_process";
import { isCi } from "../../core/base/is-ci.ts";
import type { Message } from "./message.ts";
import { messageText } from "./message.ts";
import type { Send } from "./sender.ts";

/** The longest text of a notification (characters). */
const MAX_TEXT = 500;

/** Shows a notification on the desktop of the user who started the proxy in a terminal. */
export const sendDesktop: Send = async (app, _, message, signal) => {
  const { env } = app.boot;
  const absent = missingDesktop(env, process.platform, process.stderr.isTTY === true);
  if (absent !== undefined) throw new Error(`there is no desktop to notify: ${absent}`);
  const { command, args, variables } = desktopCommand(process.platform, message);
  await run(command, args, { ...env, ...variables }, signal);
};

/** Returns why no notification can be shown; undefined if one can. */
export function missingDesktop(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  isTerminal: boolean,
): string | undefined {
  if (!isTerminal) return "the proxy was not started in a terminal";
  if (isCi(env)) return "CI is set";
  if (env.SSH_CONNECTION || env.SSH_TTY) return "this is an SSH session";
  if (platform !== "darwin" && platform !== "win32" && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return "there is no display";
  return undefined;
}

interface DesktopCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Returns the program that shows a message. Its texts are arguments or variables, never a part of a script. */
export function desktopCommand(platform: NodeJS.Platform, message: Message): DesktopCommand {
  const { title } = message;
  const text = messageText(message).slice(0, MAX_TEXT);
  if (platform === "darwin") return { command: "osascript", args: ["-e", APPLE_SCRIPT, title, text] };
  if (platform === "win32")
    return {
      command: "powershell.exe",
      args: ["-NoProfile", "-NonInteractive", "-Command", POWERSHELL],
      variables: { PROXY_NOTICE_TITLE: title, PROXY_NOTICE_TEXT: text },
    };
  const urgency = message.severity === "critical" ? "critical" : "normal";
  // The text is interpreted as markup.
  return { command: "notify-send", args: ["-a", "proxy", "-u", urgency, "--", title, escapeMarkup(text)] };
}

const APPLE_SCRIPT = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run`;

const POWERSHELL = `$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $xml.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($xml.CreateTextNode($env:PROXY_NOTICE_TITLE))
$null = $texts.Item(1).AppendChild($xml.CreateTextNode($env:PROXY_NOTICE_TEXT))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($xml))`;

const escapeMarkup = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: "ignore", windowsHide: true, env, signal });
    child.once("error", (error: NodeJS.ErrnoException) =>
      fail(error.code === "ENOENT" ? new Error(`${command} is not installed`) : error),
    );
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`${command} ended with code ${code}`))));
  });
}
