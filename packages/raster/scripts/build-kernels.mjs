import { fileURLToPath } from 'node:url';
import { writeKernels } from '../../../scripts/compile-kernels.mjs';
import { medianSource } from './median-source.mjs';

await writeKernels({
  root: fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, ''),
  target: 'src/pixels/kernels.generated.ts',
  generated: { 'median.ts': medianSource },
});
