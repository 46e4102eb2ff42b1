/** Variables that child processes of a test get of its own: PATH, and the folder of compiled modules, without which loading takes twice as long. */
export function childEnv() {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE };
}
