import { millisecondsOf } from '@headwater/core/search';
import type { SceneProcessing } from '@headwater/core';
import { asText, own, type JsonObject } from './json.ts';

/** Baseline in a product's name: `..._N0510_...` is 05.10. */
const IN_NAME = /_N(\d{2})(\d{2})_/;

/** Baseline and time of a scene's processing, from its Item or the product's name, as far as known. */
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
  const texts = ['s2:processing_baseline', 'processing:version'].map((key) => asText(own(properties, key)));
  const baseline = texts.find((text) => text !== undefined && /^\d{2}\.\d{2}$/.test(text));
  if (baseline !== undefined) return baseline;
  const [, major, minor] = IN_NAME.exec(asText(own(properties, 's2:product_uri')) ?? '') ?? IN_NAME.exec(id) ?? [];
  return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
}
