/** Error numbers of the WebAssembly C library (WASI), by the error code of Node. */
const ERRNO: Record<string, number> = {
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOMEM: 48,
  ENOSPC: 51,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
};

/** Returns the WASI number of a system error; that of `EIO` for any other error. */
export function errnoOf(error: unknown): number {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return (code !== undefined && ERRNO[code]) || ERRNO.EIO!;
}
