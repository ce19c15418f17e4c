import { vscodeEdition } from "../vscode-edition.ts";

export default vscodeEdition("vscode-insiders", "VS Code Insiders", "Code - Insiders");
