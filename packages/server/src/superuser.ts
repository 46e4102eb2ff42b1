import { createHash, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, messageOf } from '@headwater/core';
import type { AccountService, Stores, User } from '@headwater/identity';
import { randomName } from './account-commands.ts';
import { printedCommand } from './config/printed-command.ts';
import { ConfigError, type Environment } from './config/read-config.ts';

/**
 * Password that is set at a container's first start if SUPERUSER_PASSWORD is not set. It is public, so a warning is
 * logged.
 */
const INSTALLER_PASSWORD = 'test_change_me';

/**
 * Name in `InstallationStore` of two hashes that a container writes at its first start: a hash of the stored password hash,
 * and a hash of the password that the container has set (SUPERUSER_PASSWORD or the installer default). At a later start, the
 * first hash shows if the user has changed the password, and the second hash shows if the setting has changed.
 */
const SET_BY_CONTAINER = 'superuser_password_set_by_container';

/** The superuser of this installation. `password` is present only if this start has set the password. */
export interface Superuser {
  readonly user: User;
  readonly password: string | undefined;
  /** True if the password comes from SUPERUSER_PASSWORD. Such a password is not printed, because it would stay in logs. */
  readonly isConfigured: boolean;
  readonly warning: string | undefined;
}

/** Parameters of `ensureSuperuser`. */
export interface SuperuserParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
  readonly password: string | undefined;
  readonly containerMarker: string | undefined;
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
  new ConfigError(
    `HEADWATER_CONTAINER_MARKER: ${marker} cannot be written (${messageOf(error)}); set it to a path that this user may write.`,
  );

/**
 * Checks, for `headwater check`, that a first start can write the marker (the file that shows that a container has started
 * before). Throws `ConfigError` if the marker cannot be written. The marker's folder may be missing, because a start creates
 * it.
 */
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
 * superuser, with two exceptions: a password that was changed after an earlier container set it, and the password of a
 * superuser with another name, because the operator created that superuser. Throws `ConfigError` if the marker cannot be
 * written.
 */
export async function ensureSuperuser(parts: SuperuserParts): Promise<Superuser> {
  const { password: configured, containerMarker } = parts;
  const firstStart = await isFirstContainerStart(containerMarker);
  const superuser = await makeOrReset(parts, {
    password: configured ?? (firstStart ? INSTALLER_PASSWORD : randomBytes(12).toString('base64url')),
    isConfigured: configured !== undefined,
    reset: firstStart,
    mustChange: configured === undefined && firstStart,
    warningOf: (username) =>
      firstStart
        ? containerWarning(configured, printedCommand(parts.shell ?? {}, `change-password --username ${username}`))
        : undefined,
  });
  // The marker is written last. If this start fails before, the next start counts as the first start again and resets the
  // password.
  if (firstStart && containerMarker !== undefined) await markContainer(containerMarker);
  return superuser;
}

interface PasswordSetting {
  readonly password: string;
  readonly isConfigured: boolean;
  readonly reset: boolean;
  /** True if the password is public. */
  readonly mustChange: boolean;
  readonly warningOf: (username: string) => string | undefined;
}

async function makeOrReset(parts: SuperuserParts, setting: PasswordSetting): Promise<Superuser> {
  const { accounts, stores } = parts;
  const { password, isConfigured, reset, mustChange, warningOf } = setting;
  const known = await stores.users.firstSuperuser();
  if (known === undefined) {
    const username = randomName();
    const user = await accounts.createSuperuser({ username, password, mustChangePassword: mustChange });
    if (reset) await remember(stores, user, password);
    return { user, password, isConfigured, warning: warningOf(username) };
  }
  if (!reset || !SUPERUSER_NAME.test(known.username) || (await keepsPassword(stores, known, password)))
    return { user: known, password: undefined, isConfigured, warning: undefined };
  // The first start of a new container sets the container's password. API keys stay valid, so that programs continue to
  // work.
  await accounts.resetPassword(known.id, password, { mustChange, keepsKeys: true });
  await remember(stores, await stores.users.byId(known.id), password);
  return { user: known, password, isConfigured, warning: warningOf(known.username) };
}

/**
 * True if a container's first start must not set `password`, because the user has changed the present password, or because
 * the container's password is already set. This check is needed, because a missing marker does not prove that the
 * installation is new: a marker on a temporary file system is lost at each restart.
 */
async function keepsPassword({ installation }: Stores, user: User, password: string): Promise<boolean> {
  // The present password is still the public one, so it may be replaced.
  if (user.mustChangePassword) return false;
  const [owned, setting] = ((await installation.read(SET_BY_CONTAINER)) ?? '').split(' ');
  // Earlier versions of the service stored no hashes. Then the password counts as changed if `sessionVersion` shows a
  // change.
  if (setting === undefined) return user.sessionVersion > 0;
  return owned !== hashOfStored(user) || setting === (await hashOfSetting(user, password));
}

async function remember({ installation }: Stores, user: User | undefined, password: string): Promise<void> {
  if (user === undefined) return;
  await installation.write(SET_BY_CONTAINER, `${hashOfStored(user)} ${await hashOfSetting(user, password)}`);
}

/** Hash of the stored password hash. It changes with each change of the user's password. */
const hashOfStored = ({ id, passwordHash }: User): string =>
  createHash('sha256').update(`${id} ${passwordHash}`).digest('base64url');

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
/**
 * Same cost as that of the user's password hash (`createScryptHasher`), so that it takes as long to guess the password from
 * this hash as from the password hash.
 */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };

/** Hash of the password that the container has set. */
const hashOfSetting = async ({ passwordHash }: User, password: string): Promise<string> =>
  (await derive(password, passwordHash, 32, COST)).toString('base64url');
