import type { Margins } from './dem-grid.ts';
import type { FlowWindow } from './flow-window.ts';

/**
 * Facts for `flowNote`: the area whose heights a run reads, and the water that may flow in from outside of this area.
 */
export interface WindowFacts extends Partial<Omit<FlowWindow, 'margins'>> {
  readonly margins: Margins;
  /** True if elevations cover the whole margin. */
  readonly isWhole: boolean;
  readonly pixelMetres: number;
}

const SIDE_NAMES = ['north', 'east', 'south', 'west'] as const;

const ENDS: Readonly<Record<FlowWindow['end'], string>> = {
  complete: 'The catchments of all pixels are complete.',
  elevation_ends:
    'The area was not widened further, because the rest of the catchments has no elevations: it is beyond the border of the elevation data, or in a hole of these data.',
  size_limit: 'The area was widened as far as memory and time allow.',
};

/**
 * Sentences about the area on which flow is computed, and about water that may flow in from outside of this area.
 * `effect` is the consequence of such water for the layer.
 */
export function flowNote(
  { margins, isWhole, pixelMetres, end, percent = 0 }: WindowFacts,
  effect = 'there the catchment is unknown, and the value is no data',
): string {
  const part = isWhole ? '' : '; elevations cover only a part of this area';
  const area = `Flow is computed on pixels of ${Math.round(pixelMetres)} m over the place and ${aroundOf(margins)}${part}.`;
  const inflow =
    end === undefined
      ? []
      : [
          ENDS[end],
          ...(percent === 0
            ? []
            : [`Water from land outside of the area may reach ${shareOf(percent)} of the place; ${effect}.`]),
        ];
  return [
    area,
    ...inflow,
    'Depressions are filled up to the level at which they overflow (Barnes et al. 2014); on flats and lakes, water flows the shortest way to the outlet. Water flows into pixels without elevation (holes, sea).',
  ].join(' ');
}

function aroundOf(margins: Margins): string {
  const km = margins.map((metres) => metres / 1000);
  if (new Set(km).size === 1) return `${km[0]} km around it`;
  return `${km.map((each, at) => `${each} km to the ${SIDE_NAMES[at]}`).join(', ')} of it`;
}

const shareOf = (percent: number): string => `${Number(percent.toPrecision(2))} %`;

/** Properties of an Item about the flow window. */
export const windowProperties = ({ margins, end, percent }: FlowWindow) => ({
  'headwater:flow_margin_km': margins.map((metres) => metres / 1000),
  'headwater:flow_window': end,
  'headwater:unknown_catchment_percent': Number(percent.toPrecision(4)),
});
