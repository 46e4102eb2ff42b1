/**
 * Environment for child processes that a test starts: PATH, and the folder of Node's compile cache. Without the
 * cache, a child process takes twice as long to load.
 */
export function childEnv() {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE };
}
