/** What whoever composes a service may decide about land cover. */
export interface LulcSettings {
  /** Scenes whose Item tells more cloud than this (`eo:cloud_cover`, 0-100) are not read; those that tell none are. */
  readonly maxCloudCover: number;
}

/** Above 90 % cloud a scene gives specks between clouds, mostly their edges, and costs as much to read as a clear one. */
export const LULC_SETTINGS: LulcSettings = { maxCloudCover: 90 };
