import { itemApproveCommand } from "../../item-commands.ts";

export default itemApproveCommand({ command: "resources", kinds: ["resource", "template"], example: "notes:note://1" });
