export default { description: "Find servers in registries and install them" };
