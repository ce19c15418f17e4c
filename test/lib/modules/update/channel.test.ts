import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installChannel } from "#lib/modules/update/channel.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(["rest.info.install-channel"], "the channel is what the package says, else what the place says", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const put = (path: string, text = "") => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return join(root, path);
  };
  const at = (execPath: string, single = true, platform: NodeJS.Platform = "linux") =>
    installChannel({ execPath, single, platform });

  const plain = put("opt/proxy");
  assert.equal(await at(plain), "tarball");
  assert.equal(await at(plain, true, "win32"), "unknown");
  assert.equal(await at(put("usr/bin/node"), false), "unknown");
  assert.equal(await at(put("opt/homebrew/Cellar/proxy/1.0/bin/proxy")), "pkgmgr");
  assert.equal(await at(put("Applications/Proxy.app/Contents/MacOS/proxy"), true, "darwin"), "dmg");

  const packaged = put("pkg/proxy");
  put("pkg/install-channel", "rpm\n");
  assert.equal(await at(packaged), "rpm");
  symlinkSync(packaged, join(root, "link"));
  assert.equal(await at(join(root, "link")), "rpm");
  put("pkg/install-channel", "nonsense");
  assert.equal(await at(packaged), "tarball");

  put("image/share/proxy/install-channel", "container\n");
  assert.equal(await at(put("image/bin/proxy")), "container");
  put("usr/share/proxy/install-channel", "deb\n");
  assert.equal(await at(put("usr/bin/proxy")), "deb");
  assert.equal(await at(plain), "tarball", "another copy on the same machine");
});
