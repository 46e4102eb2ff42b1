import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DomainError } from '@headwater/core';
import type { ProcessIdentity } from './process-identity.ts';
import { type Life, lifeOf, ownIdentity } from './process-identity.ts';

/** Message for a locked folder. `holder`: `process 12`, or `process 12 on host b`. */
export type HeldWording = (folder: string, holder: string) => string;

const DATABASE_IN_USE: HeldWording = (folder, holder) =>
  `The embedded database in ${folder} is in use by ${holder}. Stop that process first, or use another data folder; two processes would damage the database.`;

/** A lock of this process. */
export interface FolderLock {
  /** Releases the folder; safe to call twice. */
  release(): void;
}

interface LockRecord extends ProcessIdentity {
  /** Unique for each holder; part of the name of the file of a takeover. */
  readonly nonce: string;
}

const NAME = 'headwater.lock';
const TOUCH_MS = 2000;
/**
 * Age of the lock file, ms, above which a holder on another host counts as dead. A living holder updates the time of
 * the file every 2 s; its process cannot be checked from here.
 */
const STALE_MS = 15_000;
/** Age of drafts (unfinished lock files), ms, above which they belong to an earlier start. */
const OLD_DRAFT_MS = 60_000;
const MAX_TRIES = 20;

/**
 * Locks a folder for this process, also if a dead process holds the lock.
 * Takeover: a process creates a file whose name contains the dead holder's nonce, and then replaces the record.
 * Only one process can create this file. The others try again and find the new record.
 * @throws DomainError `unavailable` with process and folder if a living process holds the lock.
 */
export function lockFolder(folder: string, wording: HeldWording = DATABASE_IN_USE): FolderLock {
  const root = join(folder, NAME);
  const own: LockRecord = { ...ownIdentity(), nonce: randomUUID() };
  const draft = `${root}.${own.nonce}.new`;
  try {
    // On a full disk, this call creates an empty file before it throws.
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

/** State of the last holder; undefined if there is no holder, or if the holder is on another host. */
export function lastHolderLife(folder: string): Life | undefined {
  const record = lastHolder(join(folder, NAME))?.record;
  return record?.host === hostname() ? lifeOf(record) : undefined;
}

interface LockAttempt {
  readonly own: LockRecord;
  readonly draft: string;
  readonly wording: HeldWording;
}

/** True if this process holds the lock, false if the files changed. Throws if another process holds the lock. */
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
  // A new link of the draft is renamed, not the successor file. If the successor file were renamed, other
  // processes would not find this record for a moment.
  const promoted = `${draft}.root`;
  linkSync(draft, promoted);
  renameSync(promoted, root);
  removeSuccessors(root);
  return true;
}

/** Removes files of takeovers. They are not needed, because the lock file contains the record of this process. */
function removeSuccessors(root: string): void {
  const prefix = `${NAME}.after-`;
  for (const name of readdirSync(dirname(root))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(root), name), { force: true });
  }
}

/** Removes drafts of killed starts or of a full disk. Recent drafts stay, because another process may need them. */
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

/** Finds the last holder: its record has no successor. */
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
    // A lock file is a link of a complete file, so only a disk fault can damage it. The holder then counts as dead.
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
      // The folder was removed, so the lock is not needed.
    }
  }, TOUCH_MS).unref();
  return {
    release: () => {
      clearInterval(touch);
      if (readRecord(root)?.nonce === own.nonce) rmSync(root, { force: true });
    },
  };
}

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
