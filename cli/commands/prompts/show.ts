import { itemShowCommand } from "../../item-commands.ts";

export default itemShowCommand({ command: "prompts", kinds: ["prompt"], example: "git:review" });
