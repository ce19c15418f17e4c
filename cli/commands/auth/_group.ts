export default { description: "Sign in to and out of upstream servers" };
