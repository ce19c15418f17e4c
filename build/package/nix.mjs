// @ts-check
/** Generates a Nix package for the npm package of one release: it runs under the Node of nixpkgs. */
import { description, homepage, version } from "../release.mjs";

/** @param {string} url of the npm package @param {Buffer} digest its SHA-256 */
export function nix(url, digest) {
  return `{ lib, stdenvNoCC, fetchurl, makeWrapper, nodejs_24 }:

stdenvNoCC.mkDerivation {
  pname = "proxy";
  version = "${version}";
  src = fetchurl {
    url = "${url}";
    hash = "sha256-${digest.toString("base64")}";
  };
  nativeBuildInputs = [ makeWrapper ];
  dontBuild = true;
  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib/proxy $out/share/proxy
    cp -r . $out/lib/proxy
    makeWrapper \${lib.getExe nodejs_24} $out/bin/proxy --add-flags $out/lib/proxy/proxy.cjs
    runHook postInstall
  '';
  meta = {
    description = "${description}";${homepage ? `\n    homepage = "${homepage}";` : ""}
    license = lib.licenses.mit;
    mainProgram = "proxy";
  };
}
`;
}
