import { DomainError, type LayerRecord } from '@headwater/core';
import { absent } from '../../../wire/absent.ts';

/** Key-value pairs of an OGC request, names in lower case. */
export type OgcQuery = Readonly<Record<string, string>>;

/** Creates an OGC exception. `ogcCode`: code of the exception; `locator`: the wrong parameter. */
export function ogcError(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('validation', message, { details: { ogcCode, locator } });
}

/** The error for a layer that is not published in this workspace. */
export function unknownLayer(layerType: LayerRecord['layerType'], workspace: string, name: string): DomainError {
  const [ogcCode, locator] =
    layerType === 'raster' ? (['NoSuchCoverage', 'coverageid'] as const) : (['NoSuchLayer', 'typename'] as const);
  return absent('layer', { layerType, workspace, name, ogcCode, locator });
}

/** Throws unless each parameter has one of its expected values. Case is ignored. */
export function demand(query: OgcQuery, expected: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, values] of Object.entries(expected)) {
    const value = query[name];
    if (value === undefined)
      throw ogcError('MissingParameterValue', name, `${name}: missing; send ${name}=${values[0] ?? ''}`);
    if (!values.some((each) => each.toLowerCase() === value.toLowerCase())) {
      throw ogcError(
        'InvalidParameterValue',
        name,
        `${name}: "${value}" is not supported; send ${values.join(' or ')}`,
      );
    }
  }
}

/** Throws for unknown parameters, because ignoring a filter would return wrong data. */
export function refuseUnknown(query: OgcQuery, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw ogcError(
    'OptionNotSupported',
    unknown,
    `${unknown}: this parameter is not supported, because only whole layers are served; leave it out`,
  );
}
