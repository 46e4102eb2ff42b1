import { rampLegend, rampQml, rampSld, rampStops, type StyleClass } from '@headwater/layer-kit';
import type { DemLayer } from './raster-pipeline.ts';

/** Value of pixels without one. */
const NODATA = -9999;

/** A measured quantity and how it is drawn. */
export interface ValueSpec {
  /** Name of the band. */
  readonly band: string;
  /** What is measured, in words; also the title of styles. */
  readonly title: string;
  readonly unit: string;
  /** Value and `#rrggbb` of each stop of the ramp, and the unit as its labels have it. */
  readonly stops: readonly (readonly [value: number, color: string])[];
  readonly label: string;
  /** How values become overviews. */
  readonly overviews: 'average' | 'greatest';
}

type ValueParts = Pick<DemLayer, 'type' | 'cog' | 'content' | 'style' | 'shown' | 'colors'>;

/** What a layer of float32 values has in common with the next: its band, and colours that are interpolated between stops. */
export function valueLayer({ band, title, unit, stops, label, overviews }: ValueSpec): ValueParts {
  const classes = stops.map(([value, color]): StyleClass => ({ value, label: `${value} ${label}`, color, alpha: 255 }));
  return {
    type: 'float32',
    cog: { nodata: NODATA, overviews, description: title },
    content: ({ statistics }) => ({
      bands: [
        {
          name: band,
          description: title,
          dataType: 'float32',
          nodata: NODATA,
          unit,
          ...(statistics === undefined ? {} : { statistics }),
        },
      ],
    }),
    style: (layerName) => ({ qml: rampQml(classes), sld: rampSld(layerName, title, classes) }),
    shown: { legend: rampLegend(classes), description: `${title}, colours between these values interpolated.` },
    colors: { ramp: rampStops(classes) },
  };
}
