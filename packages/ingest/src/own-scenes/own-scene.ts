import type { BandName } from '@headwater/core/pixel-plan';

/** A file of one band among downloads: a file of the disk, or a member of a zip file. */
export interface BandSource {
  readonly band: BandName;
  /** Absolute path of the file, or of the zip file. */
  readonly path: string;
  /** Name in the zip file. */
  readonly member?: string;
  /** Bytes that the product's manifest announces. */
  readonly announcedBytes?: number;
  readonly bytes: number;
  /** Instant of the last change, ms since 1970. */
  readonly modifiedMs: number;
  /** Pixel size in metres, by its name. */
  readonly metres?: number;
}

/** Name of a source for messages. */
export const shownSource = ({ path, member }: Pick<BandSource, 'path' | 'member'>): string =>
  member === undefined ? path : `${path} (${member})`;

/** Conversion of the digital numbers of a scene to reflectance. */
export interface Radiometry {
  /** Where the offset is from: the product's metadata, its name, the user, the file, the day; or it is not known. */
  readonly basis: 'metadata' | 'name' | 'given' | 'file' | 'day' | 'unknown';
  readonly baseline?: string;
  /** Reflectance of a digital number. */
  readonly scale: number;
  /** Added to the digital numbers: one value, or one for each band id (`B02`). Undefined if the Item does not state it. */
  readonly offset?: number | ReadonlyMap<string, number>;
}

/** One acquisition of one tile, found among downloads. */
export interface OwnScene {
  /** Safe as a file name and in an address. */
  readonly id: string;
  /** Absolute path of the product, or of the folder of its first file. */
  readonly from: string;
  /** `43QGV`. */
  readonly tile?: string;
  /** `2022-01-15`. */
  readonly day: string;
  /** Time (UTC); absent if no name has it. */
  readonly time?: string;
  readonly platform?: string;
  /** Name of the product with `.SAFE`. */
  readonly productUri?: string;
  readonly madeAt?: string;
  /** Percent. */
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
  /** True if nothing is lost: the same data are used from another file, or no layer reads them. */
  readonly isHarmless: boolean;
}

/** Choice of the user for scenes without metadata. */
export interface GivenRadiometry {
  /** Processing baseline, `05.09`. */
  readonly baseline?: string;
  /** Digital numbers. */
  readonly offset?: number;
}
