import type { NonEmpty, Provider } from '@headwater/stac';

/** What a service says of everything that it publishes. */
export interface Publication {
  /** Title of the catalogue and of the first page. */
  readonly title: string;
  /** SPDX identifier, or `other` for terms of one's own. */
  readonly license: string;
  /** Address of the licence's text. */
  readonly licenseUrl: string;
  /** Who made, licenses and serves the layers. */
  readonly providers: NonEmpty<Provider>;
  /** Credit that Items and pages carry beside those of their sources. */
  readonly attribution?: string;
}

/** What may be said; each has a default. `licenseUrl` is the SPDX page of the licence, and has no default for `other`. */
export type PublicationOptions = Partial<Omit<Publication, 'providers'>> & {
  readonly providers?: readonly Provider[];
};

const TITLE = 'Headwater Spatio Temporal Asset Catalog';
const LICENSE = 'CC-BY-4.0';

/** Fills in the defaults. Throws an error that names the option which would make documents invalid. */
export function createPublication(given: PublicationOptions, baseUrl: string): Publication {
  const { title = TITLE, license = LICENSE, providers = [ownProvider(baseUrl)], attribution } = given;
  if (title.trim() === '') throw new Error('publication.title: it is empty; give a text or leave it out');
  if (!/^[A-Za-z0-9.+-]+$/.test(license)) {
    throw new Error(
      `publication.license: ${JSON.stringify(license)} is no SPDX identifier; write e.g. CC-BY-4.0, or other with licenseUrl`,
    );
  }
  const [first, ...others] = providers;
  if (first === undefined) throw new Error('publication.providers: the list is empty; name one or leave it out');
  for (const [index, provider] of providers.entries()) checkProvider(provider, `publication.providers[${index}]`);
  return {
    title,
    license,
    licenseUrl: licenseUrl(license, given.licenseUrl),
    providers: [first, ...others],
    ...(attribution === undefined || attribution.trim() === '' ? {} : { attribution }),
  };
}

function ownProvider(baseUrl: string): Provider {
  return { name: 'Headwater', url: `${baseUrl}/`, roles: ['processor', 'host'] };
}

/** Address of the text of a licence by its SPDX identifier; undefined for `other`, which has none. */
export function spdxAddress(license: string): string | undefined {
  return license === 'other' ? undefined : `https://spdx.org/licenses/${license}.html`;
}

function licenseUrl(license: string, given: string | undefined): string {
  const known = given === undefined ? spdxAddress(license) : httpUrl(given, 'publication.licenseUrl');
  if (known !== undefined) return known;
  throw new Error('publication.licenseUrl: needed where the license is other; give the address of its text');
}

function checkProvider({ name, url }: Provider, where: string): void {
  if (name.trim() === '') throw new Error(`${where}.name: it is empty; give the organisation's name`);
  if (url !== undefined) httpUrl(url, `${where}.url`);
}

function httpUrl(url: string, where: string): string {
  if (/^https?:\/\/[^\s\\]+$/i.test(url) && URL.canParse(url)) return url;
  throw new Error(`${where}: ${JSON.stringify(url)} is no address; give one that begins with http:// or https://`);
}
