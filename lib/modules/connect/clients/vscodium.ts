import { vscodeEdition } from "../vscode-edition.ts";

export default vscodeEdition("vscodium", "VSCodium", "VSCodium");
