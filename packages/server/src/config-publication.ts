import type { PublicationOptions } from '@headwater/http-service';
import { ConfigError } from './config-error.ts';

/** Values of the variables that tell what is said of published layers. */
export interface PublicationValues {
  readonly HEADWATER_TITLE?: string | undefined;
  readonly HEADWATER_LICENSE?: string | undefined;
  readonly HEADWATER_LICENSE_URL?: string | undefined;
  readonly HEADWATER_PROVIDERS?: PublicationOptions['providers'] | undefined;
  readonly HEADWATER_ATTRIBUTION?: string | undefined;
}

/** What is said of published layers. Throws `ConfigError`. */
export function publication(values: PublicationValues): PublicationOptions {
  const { HEADWATER_TITLE: title, HEADWATER_LICENSE: license, HEADWATER_LICENSE_URL: licenseUrl } = values;
  const { HEADWATER_PROVIDERS: providers, HEADWATER_ATTRIBUTION: attribution } = values;
  if (license === 'other' && licenseUrl === undefined)
    throw new ConfigError(
      'HEADWATER_LICENSE_URL: needed when HEADWATER_LICENSE is other; give the address of its text.',
    );
  return {
    ...(title === undefined ? {} : { title }),
    ...(license === undefined ? {} : { license }),
    ...(licenseUrl === undefined ? {} : { licenseUrl }),
    ...(providers === undefined ? {} : { providers }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}
