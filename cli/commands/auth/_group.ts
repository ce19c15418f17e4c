export default { description: "Sign in at upstream servers and out of them" };
