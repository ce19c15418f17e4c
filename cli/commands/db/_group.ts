export default { description: "Check the database, and recover a damaged one" };
