export default { description: "Give agents tokens of their own, limited to servers and permissions" };
