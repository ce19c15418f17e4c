/** What to do if the selected configuration file does not exist. */
export const NO_CONFIG = "correct --config or --data-dir, or start the proxy, which creates it: proxy up";
