import { deflateSync } from 'node:zlib';
import { createKernels } from '../pixels/kernels.ts';
import { decompress } from '../tiff/decompress.ts';
import { serveTasks } from './workers/serve.ts';

const SIDE = 16;

serveTasks(async () => {
  const kernels = createKernels();
  return async (): Promise<number> => {
    const tile = new Uint8Array(SIDE * SIDE).fill(7);
    const mark = kernels.mark();
    const address = kernels.alloc(tile.length);
    const decoded = kernels.u8(address, tile.length);
    decoded.set(decompress('deflate', deflateSync(tile), tile.length));
    const sum = decoded.reduce((total, value) => total + value, 0);
    kernels.reset(mark);
    return sum;
  };
});
