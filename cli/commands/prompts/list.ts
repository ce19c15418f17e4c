import { itemListCommand } from "../../item-commands.ts";

export default itemListCommand({ command: "prompts", kinds: ["prompt"], example: "git:review" });
