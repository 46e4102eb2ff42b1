import { chance } from './random.ts';

/** Smooth field: side in pixels, seed, and wavelengths in pixels with their weights. */
export interface FieldSpec {
  readonly size: number;
  readonly seed: number;
  readonly waves: readonly (readonly [length: number, weight: number])[];
}

/**
 * Value noise, cubic between lattice nodes: `[size * size]`, row-major. The values of a wave with the weight w are
 * between -w and w.
 */
export function smoothField({ size, seed, waves }: FieldSpec): Float32Array {
  const field = new Float32Array(size * size);
  for (const [index, [length, weight]] of waves.entries())
    addWave(field, { size, length, weight, seed: seed + 7919 * index });
  return field;
}

interface Wave {
  readonly size: number;
  readonly length: number;
  readonly weight: number;
  readonly seed: number;
}

function addWave(field: Float32Array, { size, length, weight, seed }: Wave): void {
  const nodes = Math.ceil(size / length) + 2;
  const lattice = Float32Array.from({ length: nodes * nodes }, (_, i) => weight * (2 * chance(seed, i) - 1));
  for (let row = 0; row < size; row += 1) {
    const y = Math.floor(row / length);
    const v = ease(row / length - y);
    for (let col = 0; col < size; col += 1) {
      const x = Math.floor(col / length);
      const u = ease(col / length - x);
      const at = y * nodes + x;
      const upper = (lattice[at] ?? 0) * (1 - u) + (lattice[at + 1] ?? 0) * u;
      const lower = (lattice[at + nodes] ?? 0) * (1 - u) + (lattice[at + nodes + 1] ?? 0) * u;
      const i = row * size + col;
      field[i] = (field[i] ?? 0) + upper * (1 - v) + lower * v;
    }
  }
}

/** Cubic ease between 0 and 1 with flat ends. */
export function ease(t: number): number {
  const c = Math.min(1, Math.max(0, t));
  return c * c * (3 - 2 * c);
}

/** For each value, the share of the field's values below it, 0-1. */
export function ranks(field: Float32Array): Float32Array {
  const sorted = Float32Array.from(field).sort();
  return field.map((value) => lowerBound(sorted, value) / sorted.length);
}

/** Value of the field with `share` of the values below it. */
export function quantile(field: Float32Array, share: number): number {
  const sorted = Float32Array.from(field).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))] ?? 0;
}

function lowerBound(sorted: Float32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
