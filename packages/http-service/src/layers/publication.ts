import type { Provider } from '@headwater/stac';

/** Metadata of all publications of a service. */
export interface Publication {
  /** Title of the catalogue and of the first page. */
  readonly title: string;
  /** SPDX identifier of the licence, or `other` for a licence without SPDX identifier. */
  readonly license: string;
  /** Address of the licence's text; undefined without a chosen licence. */
  readonly licenseUrl: string | undefined;
  /** Organisations that produced, license or host the layers. */
  readonly providers: readonly Provider[];
  /** Credit of the service on Items and pages. */
  readonly attribution?: string;
}

/**
 * Options of the metadata. The default `licenseUrl` is the SPDX page of the licence. If `license` is set to `other`,
 * `licenseUrl` is required.
 */
export type PublicationOptions = Partial<Pick<Publication, 'title' | 'license' | 'attribution'>> & {
  readonly licenseUrl?: string;
  /** Organisations; `service` means this service, as processor and host. */
  readonly providers?: readonly Provider[] | 'service';
};

/** Title of a catalogue for which no title is set. */
export const DEFAULT_TITLE = 'Headwater Spatio Temporal Asset Catalog';
const NO_LICENSE = 'other';

/** Adds the defaults. Throws an error with the name of an invalid option. */
export function createPublication(options: PublicationOptions, baseUrl: string): Publication {
  const { title = DEFAULT_TITLE, license = NO_LICENSE, attribution } = options;
  const providers = options.providers === 'service' ? [ownProvider(baseUrl)] : options.providers;
  if (title.trim() === '') throw new Error('publication.title: is empty; set a text, or leave it out');
  if (!/^[A-Za-z0-9.+-]+$/.test(license)) {
    throw new Error(
      `publication.license: ${JSON.stringify(license)} is not an SPDX identifier; write for example CC-BY-4.0, or write other and set licenseUrl`,
    );
  }
  if (providers?.length === 0)
    throw new Error('publication.providers: the list is empty; name a provider, or leave it out');
  for (const [index, provider] of (providers ?? []).entries())
    checkProvider(provider, `publication.providers[${index}]`);
  return {
    title,
    license,
    licenseUrl: licenseUrl(options),
    providers: providers ?? [],
    ...(attribution === undefined || attribution.trim() === '' ? {} : { attribution }),
  };
}

function ownProvider(baseUrl: string): Provider {
  return { name: 'Headwater', url: `${baseUrl}/`, roles: ['processor', 'host'] };
}

/** Address of a licence's text by its SPDX identifier; undefined for `other`. */
export function spdxAddress(license: string): string | undefined {
  return license === 'other' ? undefined : `https://spdx.org/licenses/${license}.html`;
}

function licenseUrl({ license, licenseUrl: url }: PublicationOptions): string | undefined {
  const spdx = license === undefined ? undefined : spdxAddress(license);
  const known = url === undefined ? spdx : httpUrl(url, 'publication.licenseUrl');
  if (known !== undefined || license === undefined) return known;
  throw new Error('publication.licenseUrl: required because the license is other; set the address of its text');
}

function checkProvider({ name, url }: Provider, where: string): void {
  if (name.trim() === '') throw new Error(`${where}.name: is empty; set the name of the organisation`);
  if (url !== undefined) httpUrl(url, `${where}.url`);
}

function httpUrl(url: string, where: string): string {
  if (/^https?:\/\/[^\s\\]+$/i.test(url) && URL.canParse(url)) return url;
  throw new Error(`${where}: ${JSON.stringify(url)} is not a valid address; it must begin with http:// or https://`);
}
