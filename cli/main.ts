declare const __VERSION__: string;

// Nothing is imported before this: the version is asked for by installers and editors, and often.
const argv = process.argv.slice(2);
if (argv.length === 1 && /^(--version|-v|version)$/.test(argv[0]!)) console.log(__VERSION__);
else
  import("./start.ts")
    .then(({ start }) => start(argv))
    .catch((error) => {
      console.error(error);
      process.exitCode = 1;
    });

export {};
