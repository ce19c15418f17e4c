export default { group: "servers", description: "Sign in to and out of upstream servers" } as const;
