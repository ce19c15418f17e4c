export default { group: "watch", description: "Show and test the channels that notify people" } as const;
