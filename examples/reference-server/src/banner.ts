import { shellWord } from '@headwater/http-service';
import { createAddresses } from '@headwater/http-service';
import { rasterItemPlace } from '@headwater/land-cover';
import type { Place } from '@headwater/core';
import type { Superuser } from './superuser.ts';

/** What the first lines on the terminal tell. */
export interface BannerFacts {
  readonly baseUrl: string;
  readonly superuser: Superuser;
  readonly place: Place | undefined;
  readonly years: readonly [number, number];
  readonly accountId: number;
}

/** Three lines for a shell: log in, compute, look at the STAC Item (without a place: at the catalogue). They work as pasted where the password is known. */
export function curlLines(facts: BannerFacts): readonly string[] {
  const { baseUrl, superuser, place, years, accountId } = facts;
  const { username, mustChangePassword } = superuser.user;
  const password = mustChangePassword ? 'YOUR-NEW-PASSWORD' : (superuser.password ?? 'YOUR-PASSWORD');
  const login = JSON.stringify({ username, password });
  const lines = [
    `TOKEN=$(curl -s ${baseUrl}/api/v1/auth/login/ -H 'Content-Type: application/json' -d ${shellWord(login)} | sed 's/.*"access":"\\([^"]*\\)".*/\\1/')`,
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
      `${CURL} "${baseUrl}/api/v1/lulc_for_tehsil/?wait=true" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`,
    );
  } else lines.push(`${CURL} ${baseUrl}/api/v1/eoaccounts/ -H "Authorization: Bearer $TOKEN"`);
  lines.push(`${CURL} ${lookAt(facts)}`);
  return lines;
}

/** Ends each answer with a line break, so that the prompt stands on a line of its own: curl alone can do it. */
const CURL = `curl -sw '\\n'`;

/** Address of the first year's Item; of the catalogue where there is no place yet. */
function lookAt({ baseUrl, place, years }: BannerFacts): string {
  const addresses = createAddresses(baseUrl);
  if (place === undefined) return addresses.catalog();
  const { collectionPath, id } = rasterItemPlace(place, years[0]);
  return addresses.item(collectionPath, id);
}

/**
 * Addresses, superuser and password. A start that has set the password prints this before anything that takes time or may
 * fail: whoever stops it then would never learn the password, which is stored only as a hash.
 */
export function bannerHead({ baseUrl, superuser }: Pick<BannerFacts, 'baseUrl' | 'superuser'>): string {
  const remedy = `npx headwater change-password --username ${superuser.user.username}`;
  const password = superuser.password ?? `(not known here: only its hash is stored; \`${remedy}\` sets another)`;
  return [
    '',
    `  Headwater        ${baseUrl}/`,
    `  API reference    ${baseUrl}/docs/`,
    `  superuser        ${superuser.user.username}`,
    `  password         ${password}`,
    ...(superuser.password === undefined
      ? []
      : [`                   ${superuser.passwordOrigin}; only its hash is stored`]),
    ...(superuser.warning === undefined ? [] : [`  WARNING          ${superuser.warning}`]),
    '',
    '',
  ].join('\n');
}

/** The banner as text, without its head where that was printed before because of a new password. */
export function bannerText(facts: BannerFacts): string {
  const head = facts.superuser.password === undefined ? bannerHead(facts) : '\n';
  const title =
    facts.place === undefined
      ? 'No places yet: put a folder into DATA_DIR/places (packages/ingest/src/places/README.md); it is read within seconds.'
      : 'Log in, compute, look at the STAC Item:';
  return `${head}  ${title}\n\n${curlLines(facts).join('\n')}\n`;
}

/** The last line of a start. */
export const openLine = (baseUrl: string): string => `\n  Open ${baseUrl}/\n`;
