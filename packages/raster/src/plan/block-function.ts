import { existsSync } from 'node:fs';
import type { BlockFunctionRef } from '@headwater/core/pixel-plan';

/** Maximum number of pixels of a block (of one call of a block function). If a halo is read, a block is at least one row. */
export const BLOCK_PIXELS = 4096;

/** Imports the function that a plan names; throws an Error that names the missing module or export. */
export async function importBlock<F>(ref: BlockFunctionRef): Promise<F> {
  const module: Readonly<Record<string, unknown>> = await import(builtModule(ref.module));
  const found = module[ref.export];
  if (typeof found !== 'function') throw new Error(`module ${ref.module} exports no function ${ref.export}`);
  // The signature of the function cannot be checked at run time, so the author of the plan is responsible for the
  // signature.
  return found as F;
}

/**
 * Address of a module. `tsc` does not change the endings of addresses in the code, so a built package may refer to a `.ts` file of which only the
 * `.js` file exists. In this case, the `.js` file is used.
 */
function builtModule(module: string): string {
  const built = module.replace(/\.(m?)ts$/, '.$1js');
  return built !== module && module.startsWith('file:') && !existsSync(new URL(module)) ? built : module;
}
