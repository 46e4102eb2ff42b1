import { createAddresses, shellWord } from '@headwater/http-service';
import { rasterItemPlace } from '@headwater/land-cover';
import type { Place } from '@headwater/core';
import type { Config } from './config/read-config.ts';
import { printedCommand } from './config/printed-command.ts';
import type { Superuser } from './superuser.ts';

/** Facts for the first lines on the terminal. */
export interface BannerFacts {
  readonly baseUrl: string;
  /** Variables that the process got from its shell. */
  readonly shell: Config['shell'];
  readonly superuser: Superuser;
  readonly place: Place | undefined;
  readonly years: readonly [number, number];
  /** Id of the Earth-observation account in the computing request. */
  readonly accountId: number;
}

/**
 * Lines for a shell: log in, compute a layer, read its STAC Item. Without a place: log in, list the
 * Earth-observation accounts, read the catalogue.
 */
export function curlLines(facts: BannerFacts): readonly string[] {
  const { baseUrl, superuser, place, years, accountId } = facts;
  const { username } = superuser.user;
  const login = `'{"username":${JSON.stringify(username)},"password":"'"\${HEADWATER_PASSWORD:?set it first}"'"}'`;
  const lines = [
    `TOKEN=$(curl -s ${baseUrl}/api/v1/auth/login/ -H 'Content-Type: application/json' -d ${login} | sed -n 's/.*"access":"\\([^"]*\\)".*/\\1/p')`,
  ];
  if (place !== undefined) {
    const body = {
      state: place.state.name,
      district: place.district.name,
      block: place.tehsil.name,
      start_year: years[0],
      end_year: years[1],
      eo_account_id: accountId,
    };
    lines.push(
      `${CURL} "${baseUrl}/api/v1/lulc_for_tehsil/?wait=true" ${BEARER} -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`,
    );
  } else lines.push(`${CURL} ${baseUrl}/api/v1/eoaccounts/ ${BEARER}`);
  lines.push(`${CURL} ${resultAddress(facts)}`);
  return lines;
}

/** Header with the token. If TOKEN is empty after a failed login, the shell prints the message and sends no request. */
const BEARER = `-H "Authorization: Bearer \${TOKEN:?log in first, with the right password}"`;

/** Call of curl. The line break after each response keeps the shell's prompt on its own line. */
const CURL = `curl -sw '\\n'`;

function resultAddress({ baseUrl, place, years }: BannerFacts): string {
  const addresses = createAddresses(baseUrl);
  if (place === undefined) return addresses.catalog();
  const { collectionPath, id } = rasterItemPlace(place, years[0]);
  return addresses.item(collectionPath, id);
}

/**
 * First lines of the banner: addresses, superuser and password. With a new password, they are printed before any step
 * that may fail, because the password would otherwise be lost.
 */
export function bannerHead({
  baseUrl,
  superuser,
  shell,
}: Pick<BannerFacts, 'baseUrl' | 'superuser' | 'shell'>): string {
  const remedy = printedCommand(shell, `change-password --username ${superuser.user.username}`);
  const { password, isConfigured } = superuser;
  const unknown = `(not known here: only its hash is stored; \`${remedy}\` sets another)`;
  const shown = password !== undefined && isConfigured ? '(that of SUPERUSER_PASSWORD)' : (password ?? unknown);
  return [
    '',
    `  Headwater        ${baseUrl}/`,
    `  API reference    ${baseUrl}/docs/`,
    `  superuser        ${superuser.user.username}`,
    `  password         ${shown}`,
    ...(password === undefined || isConfigured
      ? []
      : ['                   shown only this time; only its hash is stored']),
    ...(superuser.warning === undefined ? [] : [`  WARNING          ${superuser.warning}`]),
    '',
    '',
  ].join('\n');
}

/** Returns the banner. Leaves out the head if a new password was set, because the head was then printed earlier. */
export function bannerText(facts: BannerFacts): string {
  const { place, superuser } = facts;
  const head = superuser.password === undefined ? bannerHead(facts) : '\n';
  const title =
    place === undefined
      ? 'No places yet: put a GeoJSON file of a tehsil into DATA_DIR/places (packages/ingest/src/places/README.md); it is read within seconds.'
      : 'Log in, compute, look at the STAC Item.';
  return `${head}  ${title}\n  ${setFirst(superuser)}\n\n${curlLines(facts).join('\n')}\n`;
}

/** Line about HEADWATER_PASSWORD, without the password, because executed lines stay in the shell's history. */
function setFirst({ user, password }: Superuser): string {
  const which = user.mustChangePassword
    ? 'your new password'
    : password === undefined
      ? `the password of ${user.username}`
      : 'the password above';
  return `First set this variable in the shell: HEADWATER_PASSWORD='...'; replace ... by ${which}.`;
}

/** Last line of a start. */
export const openLine = (baseUrl: string): string => `\n  Open ${baseUrl}/\n`;

const ALL_INTERFACES: readonly string[] = ['0.0.0.0', '::'];

/** Warning if other machines can reach the service, but its links begin with `localhost`. */
export function linksNote({ baseUrl, baseUrlIsGiven, host }: Config): string | undefined {
  if (baseUrlIsGiven || !ALL_INTERFACES.includes(host)) return undefined;
  return `other machines can reach this service, but its links begin with ${baseUrl}: set PUBLIC_BASE_URL to the address that other machines use`;
}
