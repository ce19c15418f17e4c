/** A data file of plain text, which the build puts into the program. */
declare module "*.txt" {
  const text: string;
  export default text;
}
