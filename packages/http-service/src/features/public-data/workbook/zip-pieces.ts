import { Zip, ZipDeflate } from 'fflate';

/** The earliest time that an archive can tell: the same files are the same bytes whenever they are written. */
const EARLIEST = new Date(1980, 0, 1);

/** An archive that is written file after file; its bytes are taken as they come. */
export interface ZipPieces {
  /** Begins a file; the one before has ended. */
  begin(path: string): void;
  /** Goes on with the file. */
  write(text: string): void;
  /** Ends the file. */
  end(): void;
  /** Ends the archive. */
  close(): void;
  /** The bytes since they were last taken; none where the compressor has kept all of it. */
  take(): readonly Uint8Array[];
}

/** An archive of deflated files. Nothing is asked of a reader here: whoever writes stops while what was taken waits. */
export function createZipPieces(): ZipPieces {
  let pieces: Uint8Array[] = [];
  let file: ZipDeflate | undefined;
  const encoder = new TextEncoder();
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    if (piece.byteLength > 0) pieces.push(piece);
  });
  return {
    begin: (path) => {
      file = new ZipDeflate(path);
      file.mtime = EARLIEST;
      zip.add(file);
    },
    write: (text) => file?.push(encoder.encode(text)),
    end: () => file?.push(new Uint8Array(), true),
    close: () => zip.end(),
    take: () => {
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}
