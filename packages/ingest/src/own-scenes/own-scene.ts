import type { BandName } from '@headwater/core/pixel-plan';

/** A file of one band among downloads: a file on the disk, or a member of a zip file. */
export interface BandSource {
  readonly band: BandName;
  /** Absolute path of the file, or of the zip file. */
  readonly path: string;
  /** Name of the member, if `path` is a zip file. */
  readonly member?: string;
  /** Size in the product's manifest, bytes. */
  readonly announcedBytes?: number;
  readonly bytes: number;
  /** Time of the last change, ms since 1970 UTC. */
  readonly modifiedMs: number;
  /** Pixel size in metres, from the file name. */
  readonly metres?: number;
}

/** Name of a source for messages. */
export const shownSource = ({ path, member }: Pick<BandSource, 'path' | 'member'>): string =>
  member === undefined ? path : `${path} (${member})`;

/** Conversion of the digital numbers of a scene to reflectance. */
export interface Radiometry {
  /** Source of the offset: the product's metadata, the product's name, the user, the file or the day; or `unknown`. */
  readonly basis: 'metadata' | 'name' | 'given' | 'file' | 'day' | 'unknown';
  readonly baseline?: string;
  /** Reflectance per digital number. */
  readonly scale: number;
  /**
   * Offset that is added to the digital numbers: one value for all bands, or a value for each band id (`B02`). Undefined if the Item does
   * not state it.
   */
  readonly offset?: number | ReadonlyMap<string, number>;
}

/** One acquisition of one tile, found among downloads. */
export interface OwnScene {
  /** Id of the scene; safe as a file name and in an address. */
  readonly id: string;
  /** Absolute path of the product, or of the folder of its first file. */
  readonly from: string;
  /** MGRS tile, such as `43QGV`. */
  readonly tile?: string;
  /** Day of acquisition, such as `2022-01-15`. */
  readonly day: string;
  /** Time (UTC); absent if the time is in no name. */
  readonly time?: string;
  readonly platform?: string;
  /** Name of the product with `.SAFE`. */
  readonly productUri?: string;
  readonly madeAt?: string;
  /** Cloud cover in percent. */
  readonly cloudCover?: number;
  readonly radiometry: Radiometry;
  /** Best file of each band. */
  readonly sources: ReadonlyMap<BandName, BandSource>;
}

/** A file, product or scene that is left out, with the reason. */
export interface LeftOut {
  /** Path for messages. */
  readonly shown: string;
  readonly reason: string;
  /** True if the data are not needed: they are in another file that is used, or no layer reads them. */
  readonly isHarmless: boolean;
}

/** Choice of the user for scenes without metadata. */
export interface GivenRadiometry {
  /** Processing baseline, such as `05.09`. */
  readonly baseline?: string;
  /** Offset in digital numbers. */
  readonly offset?: number;
}
