import { openLayout } from '../tiff/raster-file.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import type { TileDecoder } from '../tiff/tile-decoder.ts';
import type { PreparedBand } from './prepared.ts';

/** Files that one worker keeps open at most: a year has hundreds, a process may open about a thousand. */
const OPEN_FILES = 64;

/** The files of one worker, opened from their known layouts, least recently used closed first. */
export class SceneFiles {
  readonly decoder: TileDecoder;
  readonly #open = new Map<string, RasterFile>();

  constructor(decoder: TileDecoder) {
    this.decoder = decoder;
  }

  /** The band's file; pixels beyond its edge read as the band's own nodata value. */
  get({ layout, nodata }: PreparedBand): RasterFile {
    const key = `${nodata} ${layout.href}`;
    const file = this.#open.get(key) ?? openLayout({ ...layout, nodata }, this.decoder);
    this.#open.delete(key);
    this.#open.set(key, file);
    const [oldest] = this.#open;
    if (this.#open.size > OPEN_FILES && oldest !== undefined) {
      oldest[1].close();
      this.#open.delete(oldest[0]);
    }
    return file;
  }

  close(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }
}
