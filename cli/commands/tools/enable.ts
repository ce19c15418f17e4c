import { toolSwitch } from "../../tool-switch.ts";

export default toolSwitch({
  meta: {
    description: "Switch tools on again; what waits for approval still waits",
    examples: ["proxy tools enable git:log git:diff"],
  },
  enabled: true,
});
