import { itemBlockCommand } from "../../item-commands.ts";

export default itemBlockCommand({ command: "prompts", kinds: ["prompt"], example: "git:review" });
