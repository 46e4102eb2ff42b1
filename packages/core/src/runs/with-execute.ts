import type { PixelEngine } from '../ports/pixels.ts';

/** Returns an engine like `pixels` that executes plans by the function `execute`. */
export function withExecute(pixels: PixelEngine, execute: PixelEngine['execute']): PixelEngine {
  // A proxy instead of a copied object: methods of a class need the original engine as `this`.
  return new Proxy(pixels, {
    get: (target, name) => {
      if (name === 'execute') return execute;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
