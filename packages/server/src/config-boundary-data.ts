import { ConfigError } from './config-error.ts';

/** A file of boundaries to be downloaded. */
export interface BoundaryDataConfig {
  /** May hold user name, password and a signature: never shown. */
  readonly url: string;
  /** Hex, in small letters. */
  readonly sha256: string | undefined;
  /** The file stays when what it holds is stored. */
  readonly keeps: boolean;
}

/** Variables of the download of boundaries, read. */
interface BoundaryValues {
  readonly BOUNDARY_DATA_URL?: string | undefined;
  readonly BOUNDARY_DATA_SHA256?: string | undefined;
  readonly BOUNDARY_DATA_KEEP: boolean;
}

/** What is downloaded; undefined where nothing is. Throws `ConfigError` for a checksum of no file. */
export function boundaryData({
  BOUNDARY_DATA_URL: url,
  BOUNDARY_DATA_SHA256: sha256,
  BOUNDARY_DATA_KEEP: keeps,
}: BoundaryValues): BoundaryDataConfig | undefined {
  if (url !== undefined) return { url, sha256, keeps };
  if (sha256 === undefined) return undefined;
  throw new ConfigError('BOUNDARY_DATA_URL: needed where BOUNDARY_DATA_SHA256 is set; give the address of that file.');
}
