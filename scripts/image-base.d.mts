/** Command of buildah with its global arguments. */
export const BUILDAH: readonly [string, ...string[]];
/** Name of the built image. */
export const IMAGE: string;
/** Runs buildah and returns its output. */
export function buildah(...args: readonly string[]): string;
