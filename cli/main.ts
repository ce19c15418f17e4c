declare const __VERSION__: string;

// Nothing is imported before this, because installers and editors often ask for the version.
const argv = process.argv.slice(2);
if (argv.length === 1 && /^(--version|-v)$/.test(argv[0]!)) console.log(__VERSION__);
else
  main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });

async function main(): Promise<void> {
  // The watchdog runs before everything else: it must neither handle signals nor load other code.
  if (argv[0] === "__watchdog") return (await import("#lib/daemon/watchdog.ts")).runWatchdog();
  if (argv[0] === "__complete") return void (await import("./completion/complete.ts"));
  return (await import("./start.ts")).start(argv);
}

export {};
