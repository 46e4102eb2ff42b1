import { chance } from './random.ts';
import { SIZE } from './sample-frame.ts';

/** Reservoir or tank: an uneven disc, in pixels. The side of `lobe` dries earlier. */
export interface WaterBody {
  readonly id: number;
  readonly landClass: number;
  readonly centre: readonly [row: number, col: number];
  readonly radius: number;
  readonly seed: number;
  /**
   * Part with its own class on one side: where the distance from the centre, measured towards this side, exceeds `from`
   * times `radius`. The part extends beyond the shore, to 1.6 times the distance of the shore from the centre.
   */
  readonly lobe?: { readonly landClass: number; readonly from: number };
}

/** Water body at a pixel index, or its lobe, which has another id. Undefined on land. */
export function waterAt(
  waters: readonly WaterBody[],
  pixel: number,
): { readonly id: number; readonly landClass: number } | undefined {
  const row = Math.floor(pixel / SIZE);
  const col = pixel % SIZE;
  for (const body of waters) {
    const dy = row - body.centre[0];
    const dx = col - body.centre[1];
    const angle = Math.atan2(dy, dx);
    const reach = Math.hypot(dy, dx) / (body.radius * shore(body.seed, angle));
    if (body.lobe === undefined && reach < 1) return body;
    if (body.lobe !== undefined) {
      const along = Math.cos(angle - 6.283 * chance(body.seed, 9)) * (Math.hypot(dy, dx) / body.radius);
      if (reach < 1) return along > body.lobe.from ? { id: body.id + 1, landClass: body.lobe.landClass } : body;
      if (reach < 1.6 && along > body.lobe.from) return { id: body.id + 1, landClass: body.lobe.landClass };
    }
  }
  return undefined;
}

function shore(seed: number, angle: number): number {
  const wave = (times: number): number => Math.cos(times * angle + 6.283 * chance(seed, times));
  return 1 + 0.14 * wave(2) + 0.08 * wave(3) + 0.04 * wave(5);
}
