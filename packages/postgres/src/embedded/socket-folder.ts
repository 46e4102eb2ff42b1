import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that only this user can enter, for the socket. */
export interface SocketFolder {
  readonly path: string;
  remove(): void;
}

/** Port in the socket's name; nothing listens on a network port. */
export const SOCKET_PORT = 5432;

/** File in the data folder that tells commands beside a running service where its socket is. */
const NOTE = 'socket-folder';

/** Longest address of a Unix socket, bytes (108 on Linux, 104 on macOS, with the closing zero). */
const MAX_ADDRESS = 103;

/** Address that node-postgres derives from host and port. */
export function socketAddress(folder: string): string {
  return join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * Folder for the socket: inside the data folder, or a private temporary one when that path is too long for a socket.
 * PGlite asks nobody for a password, so the folder's mode 0700 is what keeps other users of the machine out.
 */
export function openSocketFolder(dataDir: string): SocketFolder {
  const inside = join(dataDir, 'socket');
  const fits = Buffer.byteLength(socketAddress(inside)) <= MAX_ADDRESS;
  const path = fits ? inside : mkdtempSync(join(tmpdir(), 'headwater-'));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  // What a killed process left; the folder's lock is held by now, so nobody listens there.
  rmSync(socketAddress(path), { force: true });
  const note = join(dataDir, NOTE);
  writeFileSync(note, path, { mode: 0o600 });
  const remove = (): void => {
    rmSync(note, { force: true });
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

/** Folder of the socket that `openSocketFolder` noted in a data folder, if any. */
export function notedSocketFolder(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, NOTE), 'utf8');
  } catch {
    return undefined;
  }
}
