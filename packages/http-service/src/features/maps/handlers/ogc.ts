import { DomainError, type LayerRecord } from '@headwater/core';
import { absent } from '../../../wire/absent.ts';

/** Key-value pairs of an OGC request, names in lower case. */
export type OgcQuery = Readonly<Record<string, string>>;

/** Makes an OGC failure: exception code, parameter at fault, text. */
export function ogcError(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('validation', message, { details: { ogcCode, locator } });
}

/** Makes the failure of a layer that is not published in this workspace. */
export function unknownLayer(layerType: LayerRecord['layerType'], workspace: string, name: string): DomainError {
  const [ogcCode, locator] =
    layerType === 'raster' ? (['NoSuchCoverage', 'coverageid'] as const) : (['NoSuchLayer', 'typename'] as const);
  return absent('layer', { layerType, workspace, name, ogcCode, locator });
}

/** Refuses a request unless `service`, `version` and `request` are exactly these (case does not matter). */
export function demand(query: OgcQuery, expected: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, values] of Object.entries(expected)) {
    const given = query[name];
    if (given === undefined)
      throw ogcError('MissingParameterValue', name, `${name}: missing; send ${name}=${values[0] ?? ''}`);
    if (!values.some((value) => value.toLowerCase() === given.toLowerCase())) {
      throw ogcError(
        'InvalidParameterValue',
        name,
        `${name}: "${given}" is not served here; send ${values.join(' or ')}`,
      );
    }
  }
}

/** Refuses parameters that this handler does not know: ignoring a filter would answer with wrong data. */
export function refuseUnknown(query: OgcQuery, known: readonly string[]): void {
  const other = Object.keys(query).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw ogcError(
    'OptionNotSupported',
    other,
    `${other}: not supported; this handler serves whole layers only, leave it out`,
  );
}
