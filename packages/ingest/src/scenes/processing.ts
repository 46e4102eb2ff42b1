import { millisecondsOf } from '@headwater/core/search';
import type { SceneProcessing } from '@headwater/core';
import { asText, own, type JsonObject } from './json.ts';

/** Baseline within a product's name: `..._N0510_...` is 05.10. */
const IN_NAME = /_N(\d{2})(\d{2})_/;

/**
 * How new the processing of a scene is, as its Item tells: the baseline in its own property, `processing:version` or the product's
 * name, the instant by `s2:generation_time`, `processing:datetime` or `created`. What it does not tell is absent.
 */
export function processingOf(id: string, properties: JsonObject): SceneProcessing {
  const baseline = baselineOf(id, properties);
  const text = ['s2:generation_time', 'processing:datetime', 'created']
    .map((key) => asText(own(properties, key)))
    .find((value) => value !== undefined && !Number.isNaN(millisecondsOf(value)));
  return {
    ...(baseline === undefined ? {} : { baseline }),
    ...(text === undefined ? {} : { at: new Date(millisecondsOf(text)).toISOString() }),
  };
}

function baselineOf(id: string, properties: JsonObject): string | undefined {
  const said = ['s2:processing_baseline', 'processing:version'].map((key) => asText(own(properties, key)));
  const told = said.find((text) => text !== undefined && /^\d{2}\.\d{2}$/.test(text));
  if (told !== undefined) return told;
  const [, major, minor] = IN_NAME.exec(asText(own(properties, 's2:product_uri')) ?? '') ?? IN_NAME.exec(id) ?? [];
  return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
}
