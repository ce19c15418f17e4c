import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { type Message, messageOf, messageText } from "#lib/modules/notifications/message.ts";
import type { Notice } from "#lib/modules/notifications/notice.ts";
import { desktopCommand, missingDesktop } from "#lib/modules/notifications/send-desktop.ts";
import { slackMessage } from "#lib/modules/notifications/send-slack.ts";
import { teamsMessage } from "#lib/modules/notifications/send-teams.ts";

const HOSTILE = "<!channel> [x](http://evil.example) *b* `c`\n$(touch /tmp/x) \u202e\u0000";

const notice = (own: Partial<Notice> = {}): Notice => ({
  key: "k",
  kind: "server",
  severity: "warning",
  title: "Server git fails",
  text: "connection refused",
  path: "/servers/git",
  at: 1_700_000_000_000,
  count: 1,
  ...own,
});

const message = (notices: readonly Notice[], settings: object = {}): Message =>
  messageOf(
    {
      config: { current: () => ({ notifications: {}, tls: { enabled: false }, ...settings }) } as never,
      boot: { listenAddr: "127.0.0.1:8080" } as never,
    },
    notices,
  );

test("links open the page of the panel, at the address that people use", () => {
  const rows: [settings: object, url: string][] = [
    [{}, "http://127.0.0.1:8080/ui/servers/git"],
    [{ tls: { enabled: true } }, "https://127.0.0.1:8080/ui/servers/git"],
    [{ server_edition: { public_url: "https://mcp.example" } }, "https://mcp.example/ui/servers/git"],
    [
      { server_edition: { public_url: "https://mcp.example" }, notifications: { panel_url: "https://p.example" } },
      "https://p.example/ui/servers/git",
    ],
  ];
  for (const [settings, url] of rows) assert.equal(message([notice()], settings).items[0]!.url, url);
});

test("a message names one notice, or how many there are, and has the highest severity", () => {
  assert.equal(message([notice()]).title, "proxy: Server git fails");
  assert.equal(message([notice({ count: 3 })]).title, "proxy: Server git fails (3 times)");
  const several = message([notice(), notice({ severity: "critical" }), notice({ severity: "info" })]);
  assert.deepEqual([several.title, several.severity], ["proxy: 3 notifications", "critical"]);
});

test("texts of servers are cut, secrets in them are masked, and nothing in them is interpreted", () => {
  const hostile = message([notice({ title: HOSTILE, text: `${"x".repeat(1000)} ghp_${"a1B2".repeat(9)}` })]);
  const { title, text } = hostile.items[0]!;
  assert.doesNotMatch(title, /[\n\0\u202e]/);
  assert.ok(text.length <= 601);
  assert.doesNotMatch(
    JSON.stringify(message([notice({ text: `key ghp_${"a1B2".repeat(9)}` })])),
    /ghp_a1B2a1B2a1B2a1B2/,
  );

  const slack = slackMessage(hostile);
  assert.doesNotMatch(slack.text, /</);
  for (const block of slack.blocks) if (block.text) assert.equal(block.text.type, "plain_text");
  const runs = JSON.stringify(teamsMessage(hostile));
  assert.doesNotMatch(runs, /"TextBlock"/);
  const { command, args } = desktopCommand("linux", hostile);
  assert.deepEqual([command, args.slice(0, 5)], ["notify-send", ["-a", "proxy", "-u", "normal", "--"]]);
  assert.doesNotMatch(args.at(-1)!, /</);
  const windows = desktopCommand("win32", hostile);
  assert.doesNotMatch(windows.args.join(" "), /touch/);
  const mac = desktopCommand("darwin", hostile);
  assert.doesNotMatch(mac.args[1]!, /touch/);
});

test("Slack and Teams get at most as many items as they accept", () => {
  const many = message(Array.from({ length: 60 }, () => notice()));
  assert.ok(slackMessage(many).blocks.length <= 50);
  assert.ok(JSON.stringify(teamsMessage(many)).length < 28_000);
});

test("plain text has severity, title, text and link", () => {
  assert.equal(
    messageText(message([notice(), notice({ text: "", severity: "info" })])),
    "[warning] Server git fails\nconnection refused\nhttp://127.0.0.1:8080/ui/servers/git\n\n[info] Server git fails\nhttp://127.0.0.1:8080/ui/servers/git",
  );
});

test("the desktop is notified only of a proxy that a person started there", () => {
  const rows: [env: Record<string, string>, platform: NodeJS.Platform, terminal: boolean, isMissing: boolean][] = [
    [{ DISPLAY: ":0" }, "linux", true, false],
    [{ WAYLAND_DISPLAY: "w" }, "linux", true, false],
    [{}, "linux", true, true],
    [{ DISPLAY: ":0" }, "linux", false, true],
    [{ DISPLAY: ":0", SSH_TTY: "/dev/pts/1" }, "linux", true, true],
    [{ DISPLAY: ":0", CI: "1" }, "linux", true, true],
    [{ DISPLAY: ":0", CI: "0" }, "linux", true, false],
    [{}, "darwin", true, false],
    [{}, "win32", true, false],
  ];
  for (const [env, platform, terminal, isMissing] of rows)
    assert.equal(missingDesktop(env, platform, terminal) !== undefined, isMissing, JSON.stringify([env, platform]));
});

test("the library of Adaptive Cards understands the whole message for Teams", () => {
  const { AdaptiveCard, SerializationContext } = createRequire(import.meta.url)(
    "adaptivecards/dist/adaptivecards.js",
  ) as CardLibrary;
  const faultsOf = (content: object): string[] => {
    const card = new AdaptiveCard();
    const context = new SerializationContext();
    card.parse(content, context);
    const parsed = Array.from({ length: context.eventCount }, (_, i) => context.getEventAt(i));
    return [...parsed, ...card.validateProperties().validationEvents].map(({ message: text }) => text);
  };
  const severities = (["info", "warning", "critical"] as const).map((severity) => notice({ severity }));
  const { content } = teamsMessage(message([...severities, notice({ title: HOSTILE, text: "" })])).attachments[0]!;

  assert.deepEqual(faultsOf(content), []);

  assert.deepEqual(faultsOf({ ...content, body: [{ type: "Contaner", items: [] }] }).length, 1);
});

/** The part of the library's interface that the test uses; its own declarations need those of browsers. */
interface CardLibrary {
  readonly AdaptiveCard: new () => {
    parse(card: object, context: object): void;
    validateProperties(): { readonly validationEvents: readonly { readonly message: string }[] };
  };
  readonly SerializationContext: new () => {
    readonly eventCount: number;
    getEventAt(index: number): { readonly message: string };
  };
}
