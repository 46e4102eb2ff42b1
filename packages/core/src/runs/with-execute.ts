import type { PixelEngine } from '../ports/pixels.ts';

/** A pixel engine that executes plans by another function; its other operations are unchanged. */
export function withExecute(pixels: PixelEngine, execute: PixelEngine['execute']): PixelEngine {
  // The engine may be an instance of a class, so its other methods keep their receiver.
  return new Proxy(pixels, {
    get: (target, name) => {
      if (name === 'execute') return execute;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
