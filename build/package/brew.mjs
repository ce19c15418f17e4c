// @ts-check
/** Generates a Homebrew formula for the tarballs of one release. */
import { description, homepage, license, version } from "../release.mjs";

/** @type {[string, [string, string][]][]} */
const SYSTEMS = [
  [
    "macos",
    [
      ["arm", "darwin-arm64"],
      ["intel", "darwin-x64"],
    ],
  ],
  [
    "linux",
    [
      ["arm", "linux-arm64"],
      ["intel", "linux-x64"],
    ],
  ],
];

/**
 * @param {Map<string, string>} hashes SHA-256 of each target's tarball
 * @param {string} base base URL of the tarballs
 */
export function formula(hashes, base) {
  const systems = SYSTEMS.flatMap(([system, machines]) => {
    const made = machines.filter(([, target]) => hashes.has(target));
    if (made.length === 0) return [];
    const blocks = made.flatMap(([machine, target]) => [
      `    on_${machine} do`,
      `      url "${base.replace(/\/$/, "")}/proxy-${version}-${target}.tar.gz"`,
      `      sha256 "${hashes.get(target)}"`,
      "    end",
    ]);
    return [`  on_${system} do`, ...blocks, "  end", ""];
  });
  return `${[
    "class Proxy < Formula",
    `  desc "${description}"`,
    ...(homepage ? [`  homepage "${homepage}"`] : []),
    `  version "${version}"`,
    `  license "${license}"`,
    "",
    ...systems,
    '  conflicts_with "libproxy", because: "both install `proxy` binaries"',
    "",
    "  def install",
    '    bin.install "bin/proxy"',
    '    man1.install "share/man/man1/proxy.1.gz"',
    '    bash_completion.install "share/bash-completion/completions/proxy"',
    '    zsh_completion.install "share/zsh/site-functions/_proxy"',
    '    fish_completion.install "share/fish/vendor_completions.d/proxy.fish"',
    '    doc.install Dir["share/doc/proxy/*"]',
    "  end",
    "",
    "  service do",
    '    run [opt_bin/"proxy", "serve"]',
    "    keep_alive successful_exit: false",
    '    log_path var/"log/proxy.log"',
    '    error_log_path var/"log/proxy.log"',
    "  end",
    "",
    "  test do",
    '    assert_equal version.to_s, shell_output("#{bin}/proxy --version").strip',
    "  end",
    "end",
  ].join("\n")}\n`;
}
