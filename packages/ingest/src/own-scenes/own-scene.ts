import type { BandName } from '@headwater/core/pixel-plan';

/** The image of one band of a scene: a file on the disk, or a member of a zip file. */
export interface BandSource {
  readonly band: BandName;
  /** Absolute path of the file, or of the zip file. */
  readonly path: string;
  /** Name of the member, if `path` is a zip file. */
  readonly member?: string;
  /** Size in the product's manifest, bytes. */
  readonly announcedBytes?: number;
  readonly bytes: number;
  /** Time of the last change of the file, ms since 1970 UTC. */
  readonly modifiedMs: number;
  /** Pixel size in metres, from the file name. */
  readonly metres?: number;
}

/** Name of a source, for messages. */
export const shownSource = ({ path, member }: Pick<BandSource, 'path' | 'member'>): string =>
  member === undefined ? path : `${path} (${member})`;

/** Conversion of the digital numbers of a scene to reflectance. */
export interface Radiometry {
  /**
   * Source of the offset: the product's metadata, the product's name, the user, the file or the day. `unknown` if there
   * is no source.
   */
  readonly basis: 'metadata' | 'name' | 'given' | 'file' | 'day' | 'unknown';
  readonly baseline?: string;
  /** Reflectance per digital number. */
  readonly scale: number;
  /**
   * Offset that is added to the digital numbers: one value for all bands, or a value for each band id (`B02`). Undefined if the Item
   * states no offset.
   */
  readonly offset?: number | ReadonlyMap<string, number>;
}

/** One acquisition of one tile that was found in downloads. */
export interface OwnScene {
  /** Id of the scene; can be used as a file name and in an address. */
  readonly id: string;
  /** Absolute path of the product, or of the folder of the scene's first file. */
  readonly from: string;
  /** MGRS tile, such as `43QGV`. */
  readonly tile?: string;
  /** Day of acquisition, such as `2022-01-15`. */
  readonly day: string;
  /** Time of acquisition (UTC), such as `05:11:31`; absent if unknown. */
  readonly time?: string;
  readonly platform?: string;
  /** Name of the product with `.SAFE`. */
  readonly productUri?: string;
  readonly madeAt?: string;
  /** Cloud cover in percent. */
  readonly cloudCover?: number;
  readonly radiometry: Radiometry;
  /** File of each band; if a band has several files, the file with the smallest pixels. */
  readonly sources: ReadonlyMap<BandName, BandSource>;
}

/** A file, product or scene that is left out, with the reason. */
export interface LeftOut {
  /** Path for messages. */
  readonly shown: string;
  readonly reason: string;
  /**
   * True if the data are not needed, because another file with the same data is used, or because no layer reads such
   * data.
   */
  readonly isHarmless: boolean;
}

/** Choice of the user for scenes without metadata. */
export interface GivenRadiometry {
  /** Processing baseline, such as `05.09`. */
  readonly baseline?: string;
  /** Offset to add, in digital numbers. */
  readonly offset?: number;
}
