import { existsSync } from 'node:fs';
import type { BlockFunctionRef } from '@headwater/core/pixel-plan';

/** Maximum number of pixels of a block (one call of a block function). With a halo, a block is at least one row. */
export const BLOCK_PIXELS = 4096;

/** Imports the function that a plan names; throws an Error that names a missing module or export. */
export async function importBlock<F>(ref: BlockFunctionRef): Promise<F> {
  const module: Readonly<Record<string, unknown>> = await import(builtModule(ref.module));
  const found = module[ref.export];
  if (typeof found !== 'function') throw new Error(`module ${ref.module} exports no function ${ref.export}`);
  // The signature cannot be checked at run time.
  return found as F;
}

/**
 * Returns the `.js` file if a built package names a `.ts` file: `tsc` compiles the file, but does not change addresses
 * in the code.
 */
function builtModule(module: string): string {
  const built = module.replace(/\.(m?)ts$/, '.$1js');
  return built !== module && module.startsWith('file:') && !existsSync(new URL(module)) ? built : module;
}
