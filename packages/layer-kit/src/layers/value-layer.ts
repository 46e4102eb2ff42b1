import type { WrittenRaster } from '@headwater/core';
import type { OutputSpec } from '@headwater/core/pixel-plan';
import type { WriteCogRequest } from '@headwater/core/ports';
import type { RasterContent } from '@headwater/stac';
import { rampQml } from '../styles/qml.ts';
import { rampLegend, rampStops } from '../styles/ramp.ts';
import { rampSld } from '../styles/sld.ts';
import type { StyleClass } from '../styles/ramp.ts';
import type { RasterLayerDraft } from './raster-layer.ts';

const NODATA = -9999;

/** A measured quantity, and the colours for its values. */
export interface ValueSpec {
  /** Name of the band. */
  readonly band: string;
  /** Name of the quantity in words; also the title of styles. */
  readonly title: string;
  readonly unit: string;
  /** Value and `#rrggbb` of each stop. */
  readonly stops: readonly (readonly [value: number, color: string])[];
  /** Unit in the labels of the stops. */
  readonly label: string;
  /** Resampling of overviews. */
  readonly overviews: 'average' | 'greatest';
}

/** Members of a raster layer that depend on what its pixel values mean. */
export interface RasterParts extends Pick<RasterLayerDraft, 'style' | 'shown' | 'colors'> {
  readonly type: OutputSpec['type'];
  readonly cog: Pick<WriteCogRequest, 'palette' | 'names' | 'nodata' | 'overviews' | 'description'>;
  readonly content: (cog: WrittenRaster) => RasterContent;
}

/** Makes the members of a float32 raster layer. Colours are interpolated between stops. */
export function valueLayer({ band, title, unit, stops, label, overviews }: ValueSpec): RasterParts {
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
    shown: { legend: rampLegend(classes), description: `${title}; colours between these values are interpolated.` },
    colors: { ramp: rampStops(classes) },
  };
}
