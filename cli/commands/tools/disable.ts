import { toolSwitch } from "../../tool-switch.ts";

export default toolSwitch({
  meta: {
    description: "Disable tools, so that no client sees or calls them; approvals stay",
    examples: ["proxy tools disable git:push"],
  },
  enabled: false,
});
