import { existsSync } from 'node:fs';
import type { BlockFunctionRef } from '@headwater/core/pixel-plan';

/** Maximum pixels of one block; a block function gets one block per call. */
export const BLOCK_PIXELS = 4096;

/** Imports the function that a plan names; throws an Error that names the missing module or export. */
export async function importBlock<F>(ref: BlockFunctionRef): Promise<F> {
  const module: Readonly<Record<string, unknown>> = await import(builtModule(ref.module));
  const found = module[ref.export];
  if (typeof found !== 'function') throw new Error(`module ${ref.module} exports no function ${ref.export}`);
  // The author of the plan is responsible for the signature, because it cannot be checked at run time.
  return found as F;
}

/** Address of the JavaScript that `tsc` made of a TypeScript file, if only the JavaScript exists. `tsc` does not change addresses in the code. */
function builtModule(module: string): string {
  const built = module.replace(/\.(m?)ts$/, '.$1js');
  return built !== module && module.startsWith('file:') && !existsSync(new URL(module)) ? built : module;
}
