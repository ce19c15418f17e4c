/**
 * Variables with which glibc's malloc needs less memory, for each proxy that something of the proxy's own starts: one
 * arena for all threads, free memory at its end goes back to the system, and so does a piece of at least 32 KB when it is
 * freed. V8's compilers take their memory in such pieces; otherwise it would stay between pieces that are in use. The
 * unit, the images and `npm start` set the same variables.
 */
export const MALLOC_VARIABLES = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "1048576",
  MALLOC_MMAP_THRESHOLD_: "32768",
} as const;
