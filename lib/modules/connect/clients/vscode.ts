import { vscodeEdition } from "../vscode-edition.ts";

export default vscodeEdition("vscode", "VS Code", "Code");
