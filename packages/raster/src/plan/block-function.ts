import type { BlockFunctionRef } from '@headwater/core/pixel-plan';

/** Most pixels of one block: what a block function gets at once. */
export const BLOCK_PIXELS = 4096;

/** Imports the function that a plan names; throws an Error that says which module or export is missing. */
export async function importBlock<F>(ref: BlockFunctionRef): Promise<F> {
  const module: Readonly<Record<string, unknown>> = await import(ref.module);
  const found = module[ref.export];
  if (typeof found !== 'function') throw new Error(`module ${ref.module} exports no function ${ref.export}`);
  // The signature is a convention between the plan's author and the executor; it cannot be checked at run time.
  return found as F;
}
