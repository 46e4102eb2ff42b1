import type { Asset, Band, Statistics } from '../types.ts';
import { at } from '../validate/report.ts';
import type { AssetV100, Loss, RasterBandV100 } from './types.ts';

/** Converts an asset to STAC 1.0.0, with `raster:bands`. Pixel fields of the asset are copied to each band. */
export function assetV100(losses: Loss[], pointer: string, asset: Asset): AssetV100 {
  const {
    bands,
    data_type,
    nodata,
    'raster:sampling': sampling,
    'raster:spatial_resolution': spatial_resolution,
    ...rest
  } = asset;
  const common: RasterBandV100 = {
    ...(data_type === undefined ? {} : { data_type }),
    ...(nodata === undefined ? {} : { nodata }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(spatial_resolution === undefined ? {} : { spatial_resolution }),
  };
  if (bands === undefined) return Object.keys(common).length === 0 ? rest : { ...rest, 'raster:bands': [common] };
  const here = at(pointer, 'bands');
  return {
    ...rest,
    'eo:bands': bands.map(({ name, description }) => ({ name, ...(description === undefined ? {} : { description }) })),
    'raster:bands': bands.map((band, index) => ({ ...common, ...rasterBand(losses, at(here, index), band) })),
  };
}

function rasterBand(losses: Loss[], pointer: string, band: Band): RasterBandV100 {
  const { name: _name, description: _description, statistics, ...rest } = band;
  if (statistics === undefined) return rest;
  const converted = statisticsV100(losses, at(pointer, 'statistics'), statistics);
  return Object.keys(converted).length === 0 ? rest : { ...rest, statistics: converted };
}

function statisticsV100(losses: Loss[], pointer: string, statistics: Statistics): Omit<Statistics, 'count'> {
  const { count, ...rest } = statistics;
  if (count !== undefined) {
    const reason = 'raster v1.1 has no count of pixels in its statistics';
    losses.push({
      pointer: at(pointer, 'count'),
      rule: 'statistics.count',
      lost: count,
      replacement: undefined,
      reason,
    });
  }
  return rest;
}
