import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { launchdService } from "#cli/service/launchd.ts";
import { systemdService } from "#cli/service/systemd.ts";
import { scheduledTask } from "#cli/service/task-scheduler.ts";
import { homeFolder } from "#test/kit/home.ts";
import { has } from "#test/kit/machine.ts";
import { folder, runProgram } from "#test/kit/program.ts";

const WISH = {
  name: "mcpproxy",
  command: ["/opt/a b/proxy", "serve", "--data-dir", "/x/100%/$y"] as const,
  home: "/home/me",
  path: "/home/me/.local/bin:/usr/bin",
  uid: 1000,
  configHome: undefined,
};

test("the systemd unit quotes its words, has the PATH, and shares the settings of the packages' unit", () => {
  const { file, install } = systemdService(WISH);

  assert.equal(file?.path, "/home/me/.config/systemd/user/mcpproxy.service");
  assert.match(file.text, /^ExecStart="\/opt\/a b\/proxy" "serve" "--data-dir" "\/x\/100%%\/\$\$y"$/m);
  assert.match(file.text, /^Environment="PATH=\/home\/me\/\.local\/bin:\/usr\/bin"$/m);
  assert.match(file.text, /^Environment=MALLOC_ARENA_MAX=1/m);
  assert.match(file.text, /^RestartPreventExitStatus=2 3 4$/m);
  assert.match(file.text, /^WantedBy=default\.target$/m);
  assert.doesNotMatch(file.text, /^(User|ProtectHome|StateDirectory|EnvironmentFile)=/m);
  assert.deepEqual(install.at(-1), ["systemctl", "--user", "restart", "mcpproxy.service"]);
});

test("systemd accepts the unit", { skip: has("systemd-analyze") ? false : "no systemd-analyze" }, (t) => {
  const { file } = systemdService({ ...WISH, command: [process.execPath, "serve"] });
  const path = join(folder(t), "mcpproxy.service");
  writeFileSync(path, file!.text);

  const { stderr } = spawnSync("systemd-analyze", ["--user", "verify", path], { encoding: "utf8" });

  assert.doesNotMatch(stderr, /mcpproxy\.service:\d+|Unknown|Failed to parse|Invalid/);
});

test("the launchd agent is a property list with escaped words", () => {
  const { file, install, uninstall } = launchdService({ ...WISH, command: ["/a&b/proxy", "serve"] });

  assert.equal(file?.path, "/home/me/Library/LaunchAgents/mcpproxy.plist");
  assert.match(file.text, /<string>\/a&amp;b\/proxy<\/string>\n {4}<string>serve<\/string>/);
  if (has("python3")) {
    const read = "import plistlib, sys, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const { stdout } = spawnSync("python3", ["-c", read], { encoding: "utf8", input: file.text });
    assert.deepEqual(JSON.parse(stdout).ProgramArguments, ["/a&b/proxy", "serve"]);
  }
  assert.deepEqual(install, [["launchctl", "bootstrap", "gui/1000", file.path]]);
  assert.deepEqual(uninstall, [["launchctl", "bootout", "gui/1000/mcpproxy"]]);
});

test("the scheduled task of Windows quotes a path with spaces", () => {
  const { install, file } = scheduledTask({ ...WISH, command: ["C:\\Program Files\\proxy.exe", "serve"] });

  assert.equal(file, undefined);
  assert.equal(install[0]!.at(-1), '"C:\\Program Files\\proxy.exe" serve');
});

/** Stands for systemctl: it writes its arguments to a file, and `restart` starts the unit's program. */
const SYSTEMCTL = `#!/bin/sh
shift
echo "$@" >> "$HOME/calls"
case $1 in
  restart | start) eval "$(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/$2") >/dev/null 2>&1 &" ;;
  is-active) test -e "$HOME/.mcpproxy/mcpproxy.sock" ;;
esac
`;

test("a service is previewed, installed, found active, and uninstalled with its file", {
  skip: process.platform === "linux" ? false : "systemd is for Linux",
}, async (t) => {
  const HOME = homeFolder(t);
  const bin = join(HOME, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "systemctl"), SYSTEMCTL, { mode: 0o755 });
  mkdirSync(join(HOME, ".mcpproxy"), { mode: 0o700 });
  const config = JSON.stringify({ listen: "", api_key: "k".repeat(32), mcpServers: [] });
  writeFileSync(join(HOME, ".mcpproxy", "mcp_config.json"), config, { mode: 0o600 });
  const env = { HOME, PATH: `${bin}:${process.env.PATH}` };
  const unit = join(HOME, ".config/systemd/user/mcpproxy.service");

  const preview = await runProgram(t, ["service", "install", "--dry-run"], env);
  assert.match(preview.out, /ExecStart=[\s\S]*Commands:\n {2}systemctl --user daemon-reload\n/);
  assert.equal(existsSync(unit), false);
  assert.equal((await runProgram(t, ["service", "status"], env)).code, 1);
  assert.match((await runProgram(t, ["service", "start"], env)).err, /install it with: .*service install/);

  const installed = await runProgram(t, ["service", "install"], env);
  assert.equal(installed.code, 0, installed.err);
  assert.match(installed.out, /installed the service mcpproxy\.service\nproxy .* is running, process \d+/);
  assert.match(installed.err, /loginctl enable-linger/);
  const status = await runProgram(t, ["service", "status", "--json"], env);
  assert.deepEqual([status.code, JSON.parse(status.out).active], [0, true]);
  assert.match((await runProgram(t, ["up"], env)).out, /already running/);

  assert.equal((await runProgram(t, ["down"], env)).out, "stopped\n");
  assert.match((await runProgram(t, ["up"], env)).out, /is running/);
  assert.match(readFileSync(join(HOME, "calls"), "utf8"), /start mcpproxy\.service\n/);
  const removed = await runProgram(t, ["service", "uninstall"], env);
  assert.deepEqual([removed.code, existsSync(unit)], [0, false]);
});
