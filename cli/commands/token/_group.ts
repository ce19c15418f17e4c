export default { description: "Manage agent tokens, which are limited to servers and permissions" };
