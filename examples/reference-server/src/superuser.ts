import { randomBytes, randomInt } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AccountService, Stores, User } from '@headwater/core';

/** What a container's first start sets when SUPERUSER_PASSWORD is not set. Known to everybody, hence the warning. */
const INSTALLER_PASSWORD = 'test_change_me';

/** The superuser of this installation; `password` only where this start has set it. */
export interface Superuser {
  readonly user: User;
  readonly password: string | undefined;
  readonly warning: string | undefined;
}

/** What `ensureSuperuser` works on. */
export interface SuperuserParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
  readonly password: string | undefined;
  readonly containerMarker: string | undefined;
}

async function isFirstContainerStart(marker: string | undefined): Promise<boolean> {
  if (marker == null) return false;
  const known = await access(marker).then(
    () => true,
    () => false,
  );
  if (!known) {
    await mkdir(dirname(marker), { recursive: true });
    await writeFile(marker, 'started\n');
  }
  return !known;
}

const containerWarning = (given: string | undefined): string =>
  given == null
    ? `first start of this container: the superuser's password is the installer default. Set SUPERUSER_PASSWORD, or change it now.`
    : `first start of this container: the superuser's password was reset to SUPERUSER_PASSWORD.`;

/** Makes `test_user_NNNN` where no superuser is there; a container's first start resets the password of the first one. */
export async function ensureSuperuser(parts: SuperuserParts): Promise<Superuser> {
  const { accounts, stores, password: given, containerMarker } = parts;
  const firstStart = await isFirstContainerStart(containerMarker);
  const known = await stores.users.firstSuperuser();
  const password = given ?? (firstStart ? INSTALLER_PASSWORD : randomBytes(12).toString('base64url'));
  const warning = firstStart ? containerWarning(given) : undefined;
  if (known == null) {
    const username = `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;
    return { user: await accounts.createSuperuser({ username, password }), password, warning };
  }
  if (!firstStart) return { user: known, password: undefined, warning };
  await accounts.resetPassword(known.id, password);
  return { user: known, password, warning };
}
