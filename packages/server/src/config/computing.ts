import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { httpUrl, list, onOff, sceneOrigin, whole } from './fields.ts';

/** Variables of scenes, elevations, the worker and the sample. */
export const COMPUTING_FIELDS = {
  EO_STAC_API_URL: httpUrl.optional(),
  EO_STAC_COLLECTION: z.string().default('sentinel-2-l2a'),
  EO_ALLOWED_ORIGINS: list(sceneOrigin),
  EO_MAX_CLOUD_COVER: whole(0, 100).default(90),
  DEM_STAC_API_URL: httpUrl.optional(),
  DEM_STAC_COLLECTION: z.string().default('cop-dem-glo-30'),
  WORKER: onOff.default(true),
  RUN_LEASE_SECONDS: whole(1, 3600).default(30),
  HEADWATER_SAMPLE: onOff.default(true),
  HEADWATER_THREADS: whole(1, 64).optional(),
} as const;

type Values = z.output<z.ZodObject<typeof COMPUTING_FIELDS>>;

/** A STAC API and the collection that is searched there. */
export interface StacApi {
  readonly url: string;
  readonly collection: string;
}

/** Catalogues of scenes and elevations. */
export interface Catalogues {
  readonly eoStacApi: StacApi | undefined;
  /** Asked for elevations where DATA_DIR/dem has not all of a place. */
  readonly demStacApi: StacApi | undefined;
  /** Origins of catalogues, scenes and elevations that are asked although they are not public: the STAC APIs' own and those that were named. */
  readonly allowedOrigins: readonly string[];
}

/** Inputs of computations, and what does them. */
export interface ComputingConfig extends Catalogues {
  /** Scenes with more cloud than this (percent, `eo:cloud_cover`) are not read. */
  readonly maxCloudCover: number;
  /** Runs are worked on in the service's own process; false where `headwater worker` does it. */
  readonly worker: boolean;
  /** A run whose worker was silent for this long is taken over. */
  readonly runLeaseSeconds: number;
  readonly sample: boolean;
  readonly threads: number | undefined;
}

/** What the variables say of computing; `DB_HOST` is a variable of the storage. Throws `ConfigError`. */
export function computingConfig(values: WorkerValues & Values): ComputingConfig {
  return {
    ...catalogues(values),
    maxCloudCover: values.EO_MAX_CLOUD_COVER,
    worker: workerInProcess(values),
    runLeaseSeconds: values.RUN_LEASE_SECONDS,
    sample: values.HEADWATER_SAMPLE,
    threads: values.HEADWATER_THREADS,
  };
}

/** The catalogues that the variables name. */
function catalogues(values: Values): Catalogues {
  const eoStacApi = stacApi(values.EO_STAC_API_URL, values.EO_STAC_COLLECTION);
  const demStacApi = stacApi(values.DEM_STAC_API_URL, values.DEM_STAC_COLLECTION);
  const own = [eoStacApi, demStacApi].flatMap((api) => (api === undefined ? [] : [new URL(api.url).origin]));
  return { eoStacApi, demStacApi, allowedOrigins: [...own, ...values.EO_ALLOWED_ORIGINS] };
}

const stacApi = (url: string | undefined, collection: string): StacApi | undefined =>
  url === undefined ? undefined : { url, collection };

/** The variables that say where runs are worked on. */
interface WorkerValues {
  readonly WORKER: boolean;
  readonly DB_HOST?: string | undefined;
}

/** True if the service works on runs itself. Throws `ConfigError` if no other process could. */
function workerInProcess({ WORKER: isOn, DB_HOST: host }: WorkerValues): boolean {
  if (!isOn && host === undefined)
    throw new ConfigError(
      'WORKER: is off, but the embedded database belongs to the one process that opens it, so no worker beside it could reach the ' +
        'runs. Unset WORKER, or set DB_HOST to a PostgreSQL and start `headwater worker` beside the service.',
    );
  return isOn;
}
