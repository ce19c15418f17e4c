export default { description: "Check the database, and recover what can be read of a damaged one" };
