/** A STAC API and the collection that is asked of it. */
export interface StacApi {
  readonly url: string;
  readonly collection: string;
}

/** Where scenes and elevations are asked for. */
export interface Catalogues {
  readonly eoStacApi: StacApi | undefined;
  /** Asked for elevations where DATA_DIR/dem has not all of a place. */
  readonly demStacApi: StacApi | undefined;
  /** Origins of catalogues, scenes and elevations that are asked although they are not public: the STAC APIs' own and those that were named. */
  readonly allowedOrigins: readonly string[];
}

/** Values of the variables that name catalogues. */
export interface CatalogueValues {
  readonly EO_STAC_API_URL?: string | undefined;
  readonly EO_STAC_COLLECTION: string;
  readonly DEM_STAC_API_URL?: string | undefined;
  readonly DEM_STAC_COLLECTION: string;
  readonly EO_ALLOWED_ORIGINS: readonly string[];
}

/** The catalogues that the variables name. */
export function catalogues(values: CatalogueValues): Catalogues {
  const eoStacApi = stacApi(values.EO_STAC_API_URL, values.EO_STAC_COLLECTION);
  const demStacApi = stacApi(values.DEM_STAC_API_URL, values.DEM_STAC_COLLECTION);
  const own = [eoStacApi, demStacApi].flatMap((api) => (api === undefined ? [] : [new URL(api.url).origin]));
  return { eoStacApi, demStacApi, allowedOrigins: [...own, ...values.EO_ALLOWED_ORIGINS] };
}

const stacApi = (url: string | undefined, collection: string): StacApi | undefined =>
  url === undefined ? undefined : { url, collection };
