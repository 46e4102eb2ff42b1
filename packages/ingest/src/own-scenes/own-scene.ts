import type { BandName } from '@headwater/core/pixel-plan';

/** Image of one band: a file, or a member of a zip file. */
export interface BandSource {
  readonly band: BandName;
  /** Absolute path of the file or zip file. */
  readonly path: string;
  /** Name of the member in the zip file. */
  readonly member?: string;
  /** Size by the product's manifest, bytes. */
  readonly announcedBytes?: number;
  readonly bytes: number;
  /** Last change of the file, ms since 1970 UTC. */
  readonly modifiedMs: number;
  /** Pixel size in metres, by the file name. */
  readonly metres?: number;
}

/** Name of a source, for messages. */
export const shownSource = ({ path, member }: Pick<BandSource, 'path' | 'member'>): string =>
  member === undefined ? path : `${path} (${member})`;

/** Conversion of digital numbers to reflectance. */
export interface Radiometry {
  /**
   * Source of the offset. `metadata`: the product's metadata; `given`: the user's choice; `name`: the baseline in a
   * name; `file`: tags of the images; `day`: acquired before products had an offset; `unknown`: none.
   */
  readonly basis: 'metadata' | 'name' | 'given' | 'file' | 'day' | 'unknown';
  readonly baseline?: string;
  /** Reflectance per digital number. */
  readonly scale: number;
  /** Offset in digital numbers, for all bands or by band id (`B02`); undefined for `day` and `unknown`. */
  readonly offset?: number | ReadonlyMap<string, number>;
}

/** Acquisition of one tile, found among the user's downloads. */
export interface OwnScene {
  /** Id, which is suitable as a file name and in addresses. */
  readonly id: string;
  /** Absolute path of the product, or of the first file's folder. */
  readonly from: string;
  /** MGRS tile, such as `43QGV`. */
  readonly tile?: string;
  /** Day of acquisition, such as `2022-01-15`. */
  readonly day: string;
  /** Time of acquisition (UTC), such as `05:11:31`. */
  readonly time?: string;
  readonly platform?: string;
  /** Name of the product with `.SAFE`. */
  readonly productUri?: string;
  readonly madeAt?: string;
  /** Percent. */
  readonly cloudCover?: number;
  readonly radiometry: Radiometry;
  /** For each band, the file with the smallest pixels. */
  readonly sources: ReadonlyMap<BandName, BandSource>;
}

/** File, product or scene that is left out, with the reason. */
export interface LeftOut {
  readonly shown: string;
  readonly reason: string;
  /** True if the data are not needed. */
  readonly isHarmless: boolean;
}

/** The user's choice for scenes without metadata. */
export interface GivenRadiometry {
  /** Processing baseline, such as `05.09`. */
  readonly baseline?: string;
  /** Offset in digital numbers. */
  readonly offset?: number;
}
