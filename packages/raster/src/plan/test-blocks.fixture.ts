import type { CombineBlockInput, CompositeBlockInput } from '@headwater/core/pixel-plan';

// Block functions that copy their input to outputs for tests.

/**
 * Writes to each output the low or the high byte of the plane in its name: `index:plane:lo` and `index:plane:hi`, or
 * `clear:lo` and `clear:hi`. Throws if `params.fail` is true.
 */
export function dumpSeries({ pixels, series, clear, outputs, params }: CompositeBlockInput): void {
  if (params['fail'] === true) throw new Error('the block function failed');
  for (const [name, out] of Object.entries(outputs)) {
    const parts = name.split(':');
    const shift = parts.at(-1) === 'hi' ? 8 : 0;
    const plane = parts.length === 2 ? 0 : Number(parts[1]);
    const source = parts[0] === 'clear' ? clear : series[parts[0] ?? ''];
    for (let i = 0; i < pixels; i++) out[i] = ((source?.[plane * pixels + i] ?? 0) >> shift) & 0xff;
  }
}

/** Writes the four bytes of each latitude (millionths of a degree) to the outputs `0` to `3`. */
export function dumpLatitudes({ pixels, outputs, latitudeOf }: CompositeBlockInput): void {
  for (let i = 0; i < pixels; i++) {
    const latitude = Math.round((latitudeOf?.(i) ?? 0) * 1e6);
    for (let byte = 0; byte < 4; byte++) outputs[byte]![i] = (latitude >> (8 * byte)) & 0xff;
  }
}

/** Never returns. */
export function spin({ outputs }: CompositeBlockInput): void {
  for (;;) for (const out of Object.values(outputs)) out[0] = 1;
}

/** Ends the worker thread immediately. */
export function die(): void {
  process.exit(7);
}

/** Writes `a` + `b` to the output `sum`. */
export function addPlanes({ pixels, inputs, outputs }: CombineBlockInput): void {
  for (let i = 0; i < pixels; i++) {
    const sum = outputs['sum'];
    if (sum !== undefined) sum[i] = (inputs['a']?.[i] ?? 0) + (inputs['b']?.[i] ?? 0);
  }
}

/**
 * Writes the sum of `a` within `params.reach` rows and columns, modulo 256, to `sum`. The plane `a` begins `reach` rows
 * above the first row of `sum`.
 */
export function sumAround({ pixels, cols = 0, inputs, outputs, params }: CombineBlockInput): void {
  const reach = Number(params['reach']);
  for (let i = 0; i < pixels; i++)
    for (let row = 0; row <= 2 * reach; row++)
      for (let col = Math.max(0, (i % cols) - reach); col <= Math.min(cols - 1, (i % cols) + reach); col++)
        outputs['sum']![i]! += inputs['a']![(Math.floor(i / cols) + row) * cols + col]!;
}

/** Leaves all outputs 0. */
export function noop(): void {}
