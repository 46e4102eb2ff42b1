import { fileURLToPath } from 'node:url';
import { writeKernels } from '../../../scripts/compile-kernels.mjs';

await writeKernels({
  root: fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, ''),
  target: 'src/series/kernels.generated.ts',
});
