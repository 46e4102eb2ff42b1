import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DomainError } from '@headwater/core';
import type { ProcessIdentity } from './process-identity.ts';
import { type Life, lifeOf, ownIdentity } from './process-identity.ts';

/**
 * Formats the message for a folder that a living process has locked. `holder` is `process 12`, or on another host `process 12 on host b`.
 */
export type HeldWording = (folder: string, holder: string) => string;

const DATABASE_IN_USE: HeldWording = (folder, holder) =>
  `The embedded database in ${folder} is in use by ${holder}. Stop that process first, or use another data folder; two processes would damage the database.`;

/** A lock of this process. */
export interface FolderLock {
  /** Releases the folder; safe to call twice. */
  release(): void;
}

interface LockRecord extends ProcessIdentity {
  /**
   * Random text, unique for each holder. A process that takes over the lock creates a file with this text in its name.
   */
  readonly nonce: string;
}

const NAME = 'headwater.lock';
const TOUCH_MS = 2000;
/**
 * Time since the last touch of the lock file after which a holder on another host (such as another container) counts as dead, ms. The time
 * is used because a process on another host cannot be checked.
 */
const STALE_MS = 15_000;
/** Age from which a draft (a lock file that has not got its final name) certainly belongs to an earlier start, ms. */
const OLD_DRAFT_MS = 60_000;
const MAX_TRIES = 20;

/**
 * Locks a folder for this process. The lock of a dead process is taken over.
 *
 * To take over the lock of a dead process, a process creates a file with the nonce of the dead process's record in its
 * name. The file must not exist yet, so only one of several processes succeeds. This process then replaces the record
 * in the lock file with its own record. A slower process may have read the dead record before this replacement, and may
 * create a file of the same name after the replacement. In this case the name of its file does not contain the nonce of
 * the new record. So the slower
 * process removes its file and tries again.
 * @throws DomainError `unavailable` with process and folder if a living process holds the lock.
 */
export function lockFolder(folder: string, wording: HeldWording = DATABASE_IN_USE): FolderLock {
  const root = join(folder, NAME);
  const own: LockRecord = { ...ownIdentity(), nonce: randomUUID() };
  const draft = `${root}.${own.nonce}.new`;
  try {
    // On a full disk this call creates an empty file before it throws, so the file is also removed after an error.
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (!acquire(root, { own, draft, wording })) continue;
      removeOldDrafts(root);
      return hold(root, own);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new DomainError(
    'unavailable',
    `Several processes try to use ${folder} at the same time: start only one of them`,
  );
}

/** True while a living process holds the folder. */
export function isFolderHeld(folder: string): boolean {
  const end = lastHolder(join(folder, NAME));
  return end !== undefined && isHeld(end);
}

/** State of the last process that locked the folder; undefined if there is no such process, or if it ran on another host. */
export function lastHolderLife(folder: string): Life | undefined {
  const record = lastHolder(join(folder, NAME))?.record;
  return record?.host === hostname() ? lifeOf(record) : undefined;
}

interface LockAttempt {
  readonly own: LockRecord;
  readonly draft: string;
  readonly wording: HeldWording;
}

/**
 * Tries once to get the lock. True if this process holds the lock now, false if the files changed in the meantime. Throws if another
 * process holds the lock.
 */
function acquire(root: string, { own, draft, wording }: LockAttempt): boolean {
  const end = lastHolder(root);
  if (end === undefined) return createExclusively(draft, root);
  if (isHeld(end)) throw refusal(root, end.record, wording);
  const successor = successorOf(root, end.record);
  if (!createExclusively(draft, successor)) return false;
  if (lastHolder(root)?.record.nonce !== own.nonce) {
    rmSync(successor, { force: true });
    return false;
  }
  // Renames a new link of the draft, not the successor file itself: without the successor file, other processes would
  // not find the record of this process for a moment.
  const promoted = `${draft}.root`;
  linkSync(draft, promoted);
  renameSync(promoted, root);
  removeSuccessors(root);
  return true;
}

/**
 * Removes the files of earlier takeovers, which are not needed after the lock file contains the record of this process.
 */
function removeSuccessors(root: string): void {
  const prefix = `${NAME}.after-`;
  for (const name of readdirSync(dirname(root))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(root), name), { force: true });
  }
}

/**
 * Removes old drafts. Such drafts remain from starts that were killed or found a full disk. Recent drafts are not
 * removed, because another process may need them.
 */
function removeOldDrafts(root: string): void {
  for (const name of readdirSync(dirname(root))) {
    if (!name.startsWith(`${NAME}.`) || !name.endsWith('.new')) continue;
    const path = join(dirname(root), name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - written > OLD_DRAFT_MS) rmSync(path, { force: true });
  }
}

interface Holder {
  readonly path: string;
  readonly record: LockRecord;
}

/**
 * Follows the records from the lock file, through the files of takeovers, to the last record, which has no successor.
 */
function lastHolder(root: string): Holder | undefined {
  let end: Holder | undefined;
  for (let path = root; ; path = successorOf(root, end.record)) {
    const record = readRecord(path);
    if (record === undefined) return end;
    end = { path, record };
  }
}

const successorOf = (root: string, record: LockRecord): string => `${root}.after-${record.nonce}`;

function readRecord(path: string): LockRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const fields: unknown = parse(text);
  const field = (name: string): unknown =>
    typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  const [pid, host, started, nonce] = [field('pid'), field('host'), field('started'), field('nonce')];
  return {
    pid: typeof pid === 'number' ? pid : 0,
    host: typeof host === 'string' ? host : hostname(),
    started: typeof started === 'string' ? started : null,
    // A lock file is always complete, because it is a link of a completely written file. So a damaged lock file shows a
    // disk fault, and counts as the record of a dead process with the nonce `damaged`.
    nonce: typeof nonce === 'string' && /^[\w-]{1,64}$/.test(nonce) ? nonce : 'damaged',
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeld({ path, record }: Holder): boolean {
  if (record.host === hostname()) return lifeOf(record) !== 'dead';
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - touched < STALE_MS;
}

function hold(root: string, own: LockRecord): FolderLock {
  const touch = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(root, now, now);
    } catch {
      // The error is ignored: the folder was removed, so the lock is no longer needed.
    }
  }, TOUCH_MS).unref();
  return {
    release: () => {
      clearInterval(touch);
      if (readRecord(root)?.nonce === own.nonce) rmSync(root, { force: true });
    },
  };
}

/** Creates a complete file atomically, as a hard link of a finished draft. False if the name is taken. */
function createExclusively(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function refusal(root: string, { pid, host }: LockRecord, wording: HeldWording): DomainError {
  const folder = dirname(root);
  const where = host === hostname() ? '' : ` on host ${host}`;
  return new DomainError('unavailable', wording(folder, `process ${pid}${where}`), { details: { pid, folder } });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
