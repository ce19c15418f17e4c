import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "#lib/modules/update/check.ts";
import { updateCommand } from "#lib/modules/update/command.ts";
import type { Release } from "#lib/modules/update/releases.ts";
import type { InstallChannel } from "#lib/modules/update/updates.ts";
import { compareVersions, parseVersion } from "#lib/modules/update/version.ts";
import { verifies } from "#test/kit/verifies.ts";

const WEEK = 7 * 86_400_000;
const release = (tag: string, week?: number): Release => ({
  tag,
  version: parseVersion(tag)!,
  prerelease: tag.includes("-"),
  url: `https://example.com/${tag}`,
  assets: [],
  ...(week !== undefined && { publishedAt: week * WEEK }),
});
const LIST = [
  release("1.3.0-rc.1", 12),
  release("1.2.0", 10.5),
  release("1.1.1", 7),
  release("1.1.0", 6),
  release("1.0.0", 1),
];

test("versions are ordered as semantic versions are", () => {
  const ordered = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-beta",
    "1.0.0-rc.2",
    "1.0.0-rc.11",
    "1.0.0",
    "1.2.0",
    "1.10.0",
  ];
  const shuffled = [...ordered].sort((a, b) => (a < b ? 1 : -1));
  shuffled.sort((a, b) => compareVersions(parseVersion(a)!, parseVersion(b)!));

  assert.deepEqual(shuffled, ordered);
  assert.equal(compareVersions(parseVersion("v1.2.3+build")!, parseVersion("1.2.3")!), 0);
  for (const none of ["", "1.2", "latest", "1.2.3.4", "1.2.x"]) assert.equal(parseVersion(none), undefined, none);
});

verifies(
  ["rest.info.update-available", "rest.info.update-latest", "rest.info.update-prerelease"],
  "the newest release of the channel counts; rc takes pre-releases in, stable does not",
  () => {
    const rows: [version: string, channel: "stable" | "rc", available: boolean, latest: string, pre: boolean][] = [
      ["1.1.0", "stable", true, "1.2.0", false],
      ["1.2.0", "stable", false, "1.2.0", false],
      ["1.2.0", "rc", true, "1.3.0-rc.1", true],
      ["1.3.0-rc.1", "rc", false, "1.3.0-rc.1", true],
      ["2.0.0", "stable", false, "1.2.0", false],
      ["0.0.0-dev", "stable", true, "1.2.0", false],
    ];
    for (const [version, channel, available, latest, pre] of rows) {
      const found = check(LIST, version, channel);
      assert.deepEqual([found.available, found.latest_version, found.is_prerelease], [available, latest, pre], version);
      assert.equal(found.release_url, `https://example.com/${latest}`);
    }
    assert.deepEqual(check([], "1.0.0", "stable"), { available: false, is_prerelease: false });
  },
);

verifies(
  [
    "rest.info.behind-summary",
    "rest.info.releases-behind",
    "rest.info.releases-saturated",
    "rest.info.weeks-behind",
    "rest.info.delta-best-effort",
  ],
  "how far behind is told as far as it is known, and never when there is nothing to be behind of",
  () => {
    const rows: [what: string, list: Release[], version: string, expected: object][] = [
      [
        "counted",
        LIST,
        "1.0.0",
        { behind_summary: "3 releases behind, 9 weeks old", releases_behind: 3, weeks_behind: 9 },
      ],
      ["one", LIST, "1.1.1", { behind_summary: "1 release behind, 3 weeks old", releases_behind: 1, weeks_behind: 3 }],
      [
        "the same week",
        [release("1.0.1", 1.5), release("1.0.0", 1)],
        "1.0.0",
        { behind_summary: "1 release behind, less than a week old", releases_behind: 1, weeks_behind: 0 },
      ],
      [
        "older than the list",
        LIST,
        "0.9.0",
        { behind_summary: "4+ releases behind", releases_behind: 4, releases_behind_saturated: true },
      ],
      ["without a release record", LIST, "1.0.5", {}],
      ["a build that was never released", LIST.slice(0, 3), "1.2.0-dev.4", {}],
      [
        "without dates",
        [release("1.1.0"), release("1.0.0")],
        "1.0.0",
        { behind_summary: "1 release behind", releases_behind: 1 },
      ],
      ["up to date", LIST, "1.2.0", {}],
    ];
    for (const [what, list, version, expected] of rows) {
      const {
        available: _,
        latest_version: __,
        release_url: ___,
        is_prerelease: ____,
        ...delta
      } = check(list, version, "stable");
      assert.deepEqual(delta, expected, what);
    }
  },
);

verifies(
  ["rest.info.update-command"],
  "only a package manager, deb, rpm and go-install have a line that updates",
  () => {
    const channels: Record<InstallChannel, boolean> = {
      pkgmgr: true,
      deb: true,
      rpm: true,
      "go-install": true,
      dmg: false,
      container: false,
      "windows-installer": false,
      tarball: false,
      unknown: false,
    };
    for (const [channel, has] of Object.entries(channels)) {
      const command = updateCommand(channel as InstallChannel);
      assert.equal(command !== undefined, has, channel);
      assert.ok(!command?.includes("\n"), channel);
    }
  },
);
