import { randomBytes, randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, messageOf } from '@headwater/core';
import type { AccountService, Stores, User } from '@headwater/identity';
import { printedCommand } from './config/printed-command.ts';
import { ConfigError, type Environment } from './config/read-config.ts';

/**
 * Password that is set at a container's first start if SUPERUSER_PASSWORD is not set. It is public, so a warning is
 * logged.
 */
const INSTALLER_PASSWORD = 'test_change_me';

/** The superuser of this installation; `password` only if this start has set it. */
export interface Superuser {
  readonly user: User;
  readonly password: string | undefined;
  /** Source of the password, as text. */
  readonly passwordOrigin: string;
  readonly warning: string | undefined;
}

/** Parameters of `ensureSuperuser`. */
export interface SuperuserParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
  readonly password: string | undefined;
  readonly containerMarker: string | undefined;
  /**
   * True if other servers may use the same database: a password that the owner has set is then never reset to the installer's default.
   * Default: false.
   */
  readonly isShared?: boolean;
  /** Environment variables that printed commands must repeat; default: none. */
  readonly shell?: Environment;
}

async function isFirstContainerStart(marker: string | undefined): Promise<boolean> {
  if (marker === undefined) return false;
  return access(marker).then(
    () => false,
    () => true,
  );
}

async function markContainer(marker: string): Promise<void> {
  try {
    await mkdir(dirname(marker), { recursive: true });
    await writeFile(marker, 'started\n');
  } catch (error) {
    throw unwritable(marker, error);
  }
}

const unwritable = (marker: string, error: unknown): ConfigError =>
  new ConfigError(`HEADWATER_CONTAINER_MARKER: ${marker} cannot be written: ${messageOf(error)}`);

/** Throws `ConfigError` if a first start could not write the marker. Its folder may be missing, because a start creates it. */
export async function checkMarker(marker: string): Promise<void> {
  try {
    await access(marker).catch(() => access(dirname(marker), constants.W_OK | constants.X_OK));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw unwritable(marker, error);
  }
}

const containerWarning = (password: string | undefined, change: string): string =>
  password === undefined
    ? `first start of this container: the superuser's password is the installer default. Until it is changed (${change}, or POST /api/v1/users/change_password/) nothing else is allowed; SUPERUSER_PASSWORD avoids this.`
    : `first start of this container: the superuser's password was reset to SUPERUSER_PASSWORD.`;

const SUPERUSER_NAME = /^test_user_\d{4}$/;

/**
 * Creates `test_user_NNNN` if there is no superuser. Otherwise a container's first start resets the password of the
 * superuser. It does not reset the password of a superuser with another name, whom the operator created. On a shared
 * database, it does not reset a password that the owner has set. Throws `ConfigError` if the marker cannot be
 * written.
 */
export async function ensureSuperuser(parts: SuperuserParts): Promise<Superuser> {
  const { password: configured, containerMarker } = parts;
  const firstStart = await isFirstContainerStart(containerMarker);
  const superuser = await makeOrReset(parts, {
    password: configured ?? (firstStart ? INSTALLER_PASSWORD : randomBytes(12).toString('base64url')),
    passwordOrigin: configured === undefined ? 'shown only this time' : 'set by SUPERUSER_PASSWORD',
    reset: firstStart,
    mustChange: configured === undefined && firstStart,
    warningOf: (username) =>
      firstStart
        ? containerWarning(configured, printedCommand(parts.shell ?? {}, `change-password --username ${username}`))
        : undefined,
  });
  // The marker is written last: if this start fails earlier, the next one resets the password again.
  if (firstStart && containerMarker !== undefined) await markContainer(containerMarker);
  return superuser;
}

interface PasswordSetting {
  readonly password: string;
  readonly passwordOrigin: string;
  readonly reset: boolean;
  /** True if the password is public. */
  readonly mustChange: boolean;
  readonly warningOf: (username: string) => string | undefined;
}

async function makeOrReset(parts: SuperuserParts, setting: PasswordSetting): Promise<Superuser> {
  const { accounts, stores } = parts;
  const { password, passwordOrigin, reset, mustChange, warningOf } = setting;
  const known = await stores.users.firstSuperuser();
  if (known === undefined) {
    const username = `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;
    const user = await accounts.createSuperuser({ username, password, mustChangePassword: mustChange });
    return { user, password, passwordOrigin, warning: warningOf(username) };
  }
  if (!reset || !SUPERUSER_NAME.test(known.username))
    return { user: known, password: undefined, passwordOrigin, warning: undefined };
  // A new container on a shared database has no marker yet. If the owner has set a password, that password is not
  // reset.
  if (parts.isShared && mustChange && known.sessionVersion > 0 && !known.mustChangePassword)
    return { user: known, password: undefined, passwordOrigin, warning: undefined };
  // A new container applies its password. API keys stay valid, so that programs continue to work.
  await accounts.resetPassword(known.id, password, { mustChange, keepsKeys: true });
  return { user: known, password, passwordOrigin, warning: warningOf(known.username) };
}
