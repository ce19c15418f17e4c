import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksInit, lacksProgram } from "#lib/modules/isolation/missing-program.ts";

/** As these programs write it; `uvx` and `/opt/uvx` are the commands that were asked for. */
const SAMPLES: [from: string, command: string, text: string][] = [
  [
    "Docker 27, runc 1.1",
    "uvx",
    'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "uvx": executable file not found in $PATH: unknown',
  ],
  [
    "Docker 28, runc 1.2",
    "/opt/uvx",
    'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "/opt/uvx": stat /opt/uvx: no such file or directory: unknown',
  ],
  [
    "Docker 18, runc 1.0",
    "uvx",
    'OCI runtime create failed: container_linux.go:345: starting container process caused "exec: \\"uvx\\": executable file not found in $PATH": unknown',
  ],
  [
    "nerdctl, containerd",
    "uvx",
    'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "uvx": executable file not found in $PATH: unknown',
  ],
  [
    "Podman 4, runc",
    "uvx",
    'runc: runc create failed: unable to start container process: exec: "uvx": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found',
  ],
  [
    "Podman 4, runc, a path",
    "/opt/uvx",
    'runc: runc create failed: unable to start container process: exec: "/opt/uvx": stat /opt/uvx: no such file or directory: OCI runtime attempted to invoke a command that was not found',
  ],
  ["runc, no interpreter", "/opt/uvx", "exec /opt/uvx: no such file or directory"],
  [
    "Podman 5, crun",
    "uvx",
    "crun: executable file `uvx` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found",
  ],
  [
    "Podman 1, crun",
    "uvx",
    "executable file not found in $PATH: No such file or directory: OCI runtime command not found error",
  ],
  ["krun", "uvx", "Couldn't execute 'uvx' inside the vm: No such file or directory"],
  [
    "gVisor",
    "uvx",
    'OCI runtime start failed: starting container: starting root container: error finding executable "uvx" in PATH [/usr/bin /bin]: no such file or directory: unknown',
  ],
  ["catatonit 0.1", "uvx", "ERROR (catatonit:6): failed to exec pid1: No such file or directory"],
  ["tini 0.19", "uvx", "[FATAL tini (6)] exec uvx failed: No such file or directory"],
  ["docker-init of Docker 20", "/opt/uvx", "[FATAL tini (7)] exec /opt/uvx failed: No such file or directory"],
  ["dumb-init 1.2", "uvx", "[dumb-init] uvx: No such file or directory"],
  [
    "a warning before it",
    "uvx",
    "[WARN  tini (6)] not PID 1\n[FATAL tini (6)] exec uvx failed: No such file or directory",
  ],
];

for (const [from, command, text] of SAMPLES)
  test(`a missing program is recognised in the words of ${from}`, () => assert.ok(lacksProgram(text, command)));

const NO_INIT: [from: string, text: string][] = [
  ["Docker", 'exec: "docker-init": executable file not found in $PATH'],
  [
    "Podman 3",
    "container-init binary not found on the host: stat /usr/libexec/podman/catatonit: no such file or directory",
  ],
  ["Podman 5", 'lookup init binary: exec: "catatonit": executable file not found in $PATH'],
];

for (const [from, text] of NO_INIT)
  test(`an engine that lacks its own init is recognised in the words of ${from}`, () => {
    assert.ok(lacksInit(text));
    assert.ok(!lacksProgram(text, "uvx"));
  });

/** Something else is missing: to set another image would not help. */
const OTHERS: [what: string, text: string][] = [
  ["an image", "No such image: localhost/not-there:1"],
  ["a folder to share", "statfs /nowhere: no such file or directory"],
  ["a working directory", 'workdir "/nowhere" does not exist on container 8ff9284121c2'],
  [
    "a working directory, runc",
    'unable to start container process: chdir to cwd ("/nowhere") set in config.json failed: no such file or directory',
  ],
  ["a network", "network uvx-net not found"],
  [
    "a library of the runtime",
    "/usr/bin/crun: error while loading shared libraries: libyajl.so.2: cannot open shared object file: No such file or directory: OCI runtime attempted to invoke a command that was not found",
  ],
  [
    "a file of a control group",
    "crun: open /sys/fs/cgroup/machine.slice/container/cgroup.freeze: No such file or directory: OCI runtime attempted to invoke a command that was not found",
  ],
  ["another program", 'exec: "nvidia-container-cli": executable file not found in $PATH'],
  ["a right", "[FATAL tini (6)] exec uvx failed: Permission denied"],
  ["a file of the server's own", "Error: config.json: No such file or directory"],
];

for (const [what, text] of OTHERS)
  test(`${what} that is missing is no missing program`, () => assert.ok(!lacksProgram(text, "uvx")));

test("a command that looks like an expression is compared as text", () => {
  assert.ok(lacksProgram('exec: "a+(b": executable file not found in $PATH', "a+(b"));
  assert.ok(!lacksProgram('exec: "aab": executable file not found in $PATH', "a+b"));
});
