import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { awaitSecretService } from "#lib/core/secrets/await-secret-service.ts";
import { inPlainWords, osKeyring } from "#lib/core/secrets/keyring.ts";
import { folder } from "#test/kit/program.ts";

const unix = { skip: process.platform === "win32" && "no Unix sockets here" };

/** A session bus that calls `answer` for what it receives. @returns its address */
async function fakeBus(t: TestContext, answer: (received: Buffer, socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const path = join(folder(t), "bus");
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (bytes) => answer(bytes, socket)).on("error", () => {});
  });
  server.listen(path);
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `unix:path=${path},guid=0123`;
}

test("a system without a keyring is told of, quickly, and the kernel's volatile one is never used", async (t) => {
  if (process.platform !== "linux" || process.env.DBUS_SESSION_BUS_ADDRESS)
    return t.skip("only where there is surely no Secret Service");
  const begun = Date.now();

  await assert.rejects(osKeyring("proxy-test"), Error);

  assert.ok(Date.now() - begun < 6000);
});

test("a missing keyring service is named in plain words, and another failure by the words of the library", () => {
  const raw = "Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time";

  assert.match(inPlainWords(raw, {}), /^no keyring service can be reached, because this session has no D-Bus/);
  assert.match(inPlainWords(raw, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" }), /^no keyring service answers.*X11/);
  assert.equal(inPlainWords("the keyring is locked", {}), "the keyring is locked");
});

test("a session bus that accepts connections and does not answer is no keyring, and does not stop the program", async (t) => {
  if (process.platform !== "linux") return t.skip("only there is the keyring reached by a bus");
  const before = process.env.DBUS_SESSION_BUS_ADDRESS;
  t.after(() => {
    if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
    else process.env.DBUS_SESSION_BUS_ADDRESS = before;
  });
  process.env.DBUS_SESSION_BUS_ADDRESS = await fakeBus(t, () => {});

  await assert.rejects(osKeyring("proxy-test", 50), /the keyring did not answer within 0.05 seconds/);
});

test(
  "a Secret Service that does not answer over a bus that does is waited for until the wait is ended",
  unix,
  async (t) => {
    const end = new AbortController();
    const address = await fakeBus(t, (received, socket) => {
      if (received.includes("AUTH EXTERNAL")) socket.write("OK 0123\r\n");
      else end.abort(new Error("long enough"));
    });

    await assert.rejects(awaitSecretService(address, end.signal), /long enough/);
  },
);

test("a real session bus answers for a service that nobody provides", async (t) => {
  const dir = folder(t);
  const path = join(dir, "bus");
  writeFileSync(
    join(dir, "bus.conf"),
    `<busconfig><type>session</type><listen>unix:path=${path}</listen>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy>
      </busconfig>`,
  );
  const daemon = spawn("dbus-daemon", [`--config-file=${join(dir, "bus.conf")}`, "--nofork", "--print-address"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const started = once(daemon.stdout, "data").then(() => true);
  if (!(await Promise.race([started, once(daemon, "error").then(() => false)]).catch(() => false)))
    return t.skip("dbus-daemon is not installed");
  t.after(() => daemon.kill());

  await awaitSecretService(`unix:path=${path}`, AbortSignal.timeout(20_000));
});
