export default { group: "run", description: "Run the proxy as a service that starts when you sign in" } as const;
