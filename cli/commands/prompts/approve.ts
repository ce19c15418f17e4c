import { itemApproveCommand } from "../../item-commands.ts";

export default itemApproveCommand({ command: "prompts", kinds: ["prompt"], example: "git:review" });
