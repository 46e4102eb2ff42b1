import { valueLayer } from '@headwater/layer-kit';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import { FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { streamParamsOf, streamProperties, type StreamSettings } from '../dem/stream-settings.ts';
import { demPipeline } from '../dem/raster-pipeline.ts';

const TITLE = 'Distance to the nearest drainage line in metres';

/** Pipeline of the distance to the nearest stream, m, float32. */
export const createDrainageDistancePipeline = ({ streamHectares = STREAM_HECTARES }: StreamSettings = {}) =>
  demPipeline({
    name: 'generate_distance_nearest_DL',
    listing: {
      title: 'Distance to the nearest stream',
      theme: 'Streams and drainage',
      sources: ['Digital elevation model'],
    },
    summary:
      'Computes the straight distance of each pixel of a tehsil to the nearest drainage line, in metres, from a digital elevation model.',
    initiated: 'Successfully initiated',
    workspace: 'distance_nearest_upstream_DL',
    dataset: 'Distance to Drainage Line',
    layerName: (place) => `distance_to_drainage_line_${place}_raster`,
    surroundings: FLOW_SURROUNDINGS,
    method: `stream-distance-3/${streamHectares}`,
    about: {
      layer: 'distance_to_upstream_drainage_line_raster',
      title: TITLE,
      description: `Straight distance in metres from the centre of each pixel to the centre of the nearest stream pixel, which may be upslope or downslope. A stream begins where ${streamHectares} ha of land drain through a pixel. No data where the nearest stream is uncertain: a nearer pixel may also be a stream, if water from land outside of the elevation model reaches it.`,
      lineage: 'Euclidean distances to stream pixels of D8 flow over a digital elevation model with filled depressions',
      keywords: ['drainage', 'distance', 'hydrology'],
    },
    extra: streamProperties(streamHectares),
    block: 'streamDistanceBlock',
    params: (job) => streamParamsOf(job, streamHectares),
    ...valueLayer({
      band: 'distance_to_drainage_line',
      title: TITLE,
      unit: 'm',
      label: 'm',
      stops: [
        [0, '#08306b'],
        [100, '#2171b5'],
        [250, '#6baed6'],
        [500, '#c6dbef'],
        [1000, '#fee0b6'],
        [2000, '#b35806'],
      ],
      overviews: 'average',
    }),
  });

/** Pipeline with the default threshold. */
export const drainageDistancePipeline = createDrainageDistancePipeline();
