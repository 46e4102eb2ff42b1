import { STREAM_HECTARES } from '@headwater/terrain';
import { z } from 'zod';
import type { Refuse } from './config-error.ts';
import { httpUrl, list, onOff, positive, sceneOrigin, whole } from './fields.ts';

/** Variables of scenes, elevations, the worker and the sample. */
export const COMPUTING_FIELDS = {
  EO_STAC_API_URL: httpUrl.optional(),
  EO_STAC_COLLECTION: z.string().default('sentinel-2-l2a'),
  EO_ALLOWED_ORIGINS: list(sceneOrigin),
  EO_MAX_CLOUD_COVER: whole(0, 100).default(90),
  DEM_STAC_API_URL: httpUrl.optional(),
  DEM_STAC_COLLECTION: z.string().default('cop-dem-glo-30'),
  STREAM_MIN_HECTARES: positive(100_000).default(STREAM_HECTARES),
  WORKER: onOff.default(true),
  RUN_LEASE_SECONDS: whole(1, 3600).default(30),
  HEADWATER_SAMPLE: onOff.default(true),
  HEADWATER_THREADS: whole(1, 64).optional(),
  SCENE_CACHE_GB: whole(0, 1_000_000).default(10),
} as const;

type Values = z.output<z.ZodObject<typeof COMPUTING_FIELDS>>;

/** STAC API and the collection that is searched there. */
export interface StacApi {
  readonly url: string;
  readonly collection: string;
}

/** Catalogues of scenes and elevations. */
export interface Catalogues {
  readonly eoStacApi: StacApi | undefined;
  /** STAC API of elevations for places that DATA_DIR/dem does not cover. */
  readonly demStacApi: StacApi | undefined;
  /** Origins that may have private addresses: the origins of the STAC APIs, and EO_ALLOWED_ORIGINS. */
  readonly allowedOrigins: readonly string[];
}

/** Inputs and workers of computations. */
export interface ComputingConfig extends Catalogues {
  /** Scenes with more cloud (percent, `eo:cloud_cover`) are not read. */
  readonly maxCloudCover: number;
  /** Minimum area that drains through a pixel of a stream, hectares. */
  readonly streamHectares: number;
  /** True if the service's own process computes runs; false if `headwater worker` processes do. */
  readonly worker: boolean;
  /** Lease of a run. If it is not renewed in time, another worker claims the run. */
  readonly runLeaseSeconds: number;
  readonly sample: boolean;
  readonly threads: number | undefined;
  /** Maximum size of the cache for blocks from remote scenes, bytes; 0 = no cache. */
  readonly sceneCacheBytes: number;
}

/** Reads the settings of computing, which also depend on `DB_HOST`. */
export function computingConfig(values: WorkerValues & Values, refuse: Refuse): ComputingConfig {
  return {
    ...catalogues(values),
    maxCloudCover: values.EO_MAX_CLOUD_COVER,
    streamHectares: values.STREAM_MIN_HECTARES,
    worker: workerInProcess(values, refuse),
    runLeaseSeconds: values.RUN_LEASE_SECONDS,
    sample: values.HEADWATER_SAMPLE,
    threads: values.HEADWATER_THREADS,
    sceneCacheBytes: values.SCENE_CACHE_GB * 1e9,
  };
}

function catalogues(values: Values): Catalogues {
  const eoStacApi = stacApi(values.EO_STAC_API_URL, values.EO_STAC_COLLECTION);
  const demStacApi = stacApi(values.DEM_STAC_API_URL, values.DEM_STAC_COLLECTION);
  const own = [eoStacApi, demStacApi].flatMap((api) => (api === undefined ? [] : [new URL(api.url).origin]));
  return { eoStacApi, demStacApi, allowedOrigins: [...own, ...values.EO_ALLOWED_ORIGINS] };
}

const stacApi = (url: string | undefined, collection: string): StacApi | undefined =>
  url === undefined ? undefined : { url, collection };

interface WorkerValues {
  readonly WORKER: boolean;
  readonly DB_HOST?: string | undefined;
}

/** Returns WORKER. Refuses `off` without DB_HOST, because then no process could compute. */
function workerInProcess({ WORKER: isOn, DB_HOST: host }: WorkerValues, refuse: Refuse): boolean {
  if (!isOn && host === undefined)
    refuse(
      'WORKER: is off, but the embedded database can be opened by one process only, so a separate worker could not reach the ' +
        'runs. Unset WORKER, or set DB_HOST to a PostgreSQL and start `headwater worker` next to the service.',
    );
  return isOn;
}
