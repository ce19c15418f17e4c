// @ts-check
/**
 * A Debian package, written without Debian's tools: an ar archive of a version, a control and a data archive (deb(5)).
 * The scripts are those of build/package/deb.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { description, epoch, homepage, maintainer, packageVersion, version } from "../release.mjs";
import { gzip, tar, withFolders } from "../tar.mjs";
import { installed, PLACES } from "./tree.mjs";

/** @typedef {import("../tar.mjs").Entry} Entry */

/** @type {Record<string, string>} */
export const ARCHITECTURES = { "linux-x64": "amd64", "linux-arm64": "arm64" };

/**
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<import("./apt.mjs").Package>}
 */
export async function deb(target, executable, pages) {
  const architecture = ARCHITECTURES[target] ?? "";
  const files = await contents(target, executable, pages);
  const data = tar([{ path: "./", mode: 0o755 }, ...withFolders(files, "./")], epoch());
  const installedKb = Math.ceil(files.reduce((sum, f) => sum + (f.data?.length ?? 0), 0) / 1024);
  const control = controlFile(architecture, installedKb);
  const members = [
    script("control", Buffer.from(control), 0o644),
    script("md5sums", Buffer.from(sums(files)), 0o644),
    ...["postinst", "prerm", "postrm"].map((name) =>
      script(name, readFileSync(new URL(`deb/${name}`, import.meta.url))),
    ),
  ];
  const bytes = ar([
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.gz", gzipSync(tar([{ path: "./", mode: 0o755 }, ...members], epoch()), { level: 9 })],
    ["data.tar.gz", await gzip(data)],
  ]);
  return { name: `proxy_${packageVersion}_${architecture}.deb`, bytes, architecture, control };
}

/** @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages @returns {Promise<Entry[]>} */
async function contents(target, executable, pages) {
  const files = await installed({ target, executable, channel: "deb", pages, places: PLACES.deb });
  const rest = files.filter((f) => !f.path.endsWith("/LICENSE")).map((f) => ({ ...f, path: `./usr/${f.path}` }));
  const text = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url));
  return [
    ...rest,
    { path: "./usr/lib/systemd/system/mcpproxy.service", mode: 0o644, data: text("mcpproxy.service") },
    { path: "./usr/share/doc/proxy/copyright", mode: 0o644, data: copyright(text("../../LICENSE").toString()) },
    { path: "./usr/share/doc/proxy/changelog.gz", mode: 0o644, data: changelog() },
  ];
}

/** @param {string} architecture @param {number} installedKb */
function controlFile(architecture, installedKb) {
  const fields = [
    ["Package", "proxy"],
    ["Version", packageVersion],
    ["Architecture", architecture],
    ["Maintainer", maintainer],
    ["Installed-Size", String(installedKb)],
    ["Depends", "libc6 (>= 2.28), libstdc++6 (>= 6), libgcc-s1 | libgcc1, passwd"],
    // That package also installs /usr/bin/proxy.
    ["Conflicts", "libproxy-tools"],
    ["Section", "net"],
    ["Priority", "optional"],
    ...(homepage ? [["Homepage", homepage]] : []),
    [
      "Description",
      `${description.replace(/^One/, "one")}\n AI clients connect to one MCP endpoint; proxy runs and watches the servers\n behind it, finds the right tool by search, and passes calls on. New servers\n and changed tools wait until a person has looked at them.`,
    ],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}`).join("\n")}\n`;
}

/** @param {string} licence */
function copyright(licence) {
  const [, holder = ""] = /^Copyright \(c\) (.*)$/m.exec(licence) ?? [];
  const lines = licence
    .trim()
    .split("\n")
    .map((line) => ` ${line || "."}`);
  return Buffer.from(
    [
      "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
      "Comment: what is inside the executable besides: THIRD-PARTY-NOTICES.gz",
      "",
      "Files: *",
      `Copyright: ${holder}`,
      "License: Expat",
      ...lines,
      "",
    ].join("\n"),
  );
}

function changelog() {
  const date = new Date(epoch() * 1000).toUTCString().replace("GMT", "+0000");
  const text = `proxy (${packageVersion}) stable; urgency=medium\n\n  * Release ${version}.\n\n -- ${maintainer}  ${date}\n`;
  return gzipSync(text, { level: 9 });
}

/** @param {string} name @param {Buffer} data @param {number} [mode] @returns {Entry} */
const script = (name, data, mode = 0o755) => ({ path: `./${name}`, mode, data });

/** @param {Entry[]} files */
function sums(files) {
  const md5 = (/** @type {Buffer} */ data) => createHash("md5").update(data).digest("hex");
  return files.map((f) => `${md5(f.data ?? Buffer.alloc(0))}  ${f.path.slice(2)}\n`).join("");
}

/** @param {[name: string, data: Buffer][]} members */
function ar(members) {
  const parts = members.flatMap(([name, data]) => {
    const head = [name.padEnd(16), String(epoch()).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    return [
      Buffer.from(`${head.join("")}${String(data.length).padEnd(10)}\`\n`),
      data,
      Buffer.from(data.length % 2 ? "\n" : ""),
    ];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
