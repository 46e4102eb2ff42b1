import type { PixelEngine } from '../ports/pixels.ts';

/** A pixel engine that executes plans by the function `execute`; all other operations are those of `pixels`. */
export function withExecute(pixels: PixelEngine, execute: PixelEngine['execute']): PixelEngine {
  // The engine may be an instance of a class. A proxy is used, so that its other methods still get the engine as
  // `this`.
  return new Proxy(pixels, {
    get: (target, name) => {
      if (name === 'execute') return execute;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
