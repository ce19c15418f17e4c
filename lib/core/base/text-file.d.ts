/** A plain text file, which the build embeds in the program. */
declare module "*.txt" {
  const text: string;
  export default text;
}

/** A shell script, which the build puts into the program as text. */
declare module "*.sh" {
  const script: string;
  export default script;
}

/** A systemd unit, which the build puts into the program as text. */
declare module "*.service" {
  const unit: string;
  export default unit;
}
