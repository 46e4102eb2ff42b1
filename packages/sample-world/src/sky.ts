import { hash32 } from './random.ts';
import type { SceneDate } from './scene-calendar.ts';
import { ease, quantile, smoothField } from './smooth-field.ts';

/** Scene classification codes of Sentinel-2 L2A that the sky sets; 0 = no data. */
export const SKY = { noData: 0, shadow: 3, cloudMedium: 8, cloudHigh: 9, cirrus: 10, open: 255 } as const;

/** Sky over the 20 m grid, `[size * size]`. */
export interface Sky {
  readonly size: number;
  /** SKY codes; `open` if the ground is visible. */
  readonly code: Uint8Array;
  /** Share of light from cloud instead of the ground, 0-1; thin haze reaches beyond the pixels that are coded as cloud. */
  readonly opacity: Float32Array;
  /** Factor of illumination, 1 in full sun. */
  readonly sun: Float32Array;
}

/** Offset of shadows in 20 m pixels, to the west and to the north: mid-morning sun in the south-east, clouds at about 400 m. */
const SHADOW = { west: 13, north: 9 } as const;

/** The sky of a scene: coherent clouds over the wanted share, with thin edges, shadows to the north-west and a swath edge. */
export function skyOf(scene: SceneDate, size: number, seed: number): Sky {
  const count = size * size;
  const code = new Uint8Array(count).fill(SKY.open);
  const opacity = new Float32Array(count);
  const sun = new Float32Array(count).fill(1);
  if (scene.cloud > 0.004) {
    const field = smoothField({
      size,
      seed: hash32(seed, scene.day, 50),
      waves: [
        [48, 1],
        [19, 0.45],
        [7, 0.14],
      ],
    });
    const edge = quantile(field, 1 - scene.cloud);
    for (let i = 0; i < count; i += 1) opacity[i] = ease(((field[i] ?? 0) - edge + 0.04) / 0.26);
    classify(opacity, code);
    castShadows({ size, code, opacity, sun });
  }
  if (scene.cutCorner) cutCorner(size, code);
  return { size, code, opacity, sun };
}

function classify(opacity: Float32Array, code: Uint8Array): void {
  for (let i = 0; i < code.length; i += 1) {
    const thick = opacity[i] ?? 0;
    if (thick > 0.72) code[i] = SKY.cloudHigh;
    else if (thick > 0.35) code[i] = SKY.cloudMedium;
    else if (thick > 0.07) code[i] = SKY.cirrus;
  }
}

function castShadows({ size, code, opacity, sun }: Sky): void {
  for (let row = 0; row < size; row += 1) {
    for (let col = 0; col < size; col += 1) {
      const i = row * size + col;
      const caster = Math.min(size - 1, row + SHADOW.north) * size + Math.min(size - 1, col + SHADOW.west);
      const shade = (opacity[caster] ?? 0) * (1 - (opacity[i] ?? 0));
      sun[i] = 1 - 0.6 * shade;
      if (shade > 0.22 && code[i] === SKY.open) code[i] = SKY.shadow;
    }
  }
}

function cutCorner(size: number, code: Uint8Array): void {
  for (let row = 0; row < size; row += 1) {
    for (let col = 0; col < size - row * 4; col += 1)
      if (row * 4 + col < size * 0.3) code[row * size + col] = SKY.noData;
  }
}
