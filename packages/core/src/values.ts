// `@headwater/core/values`: checks, digests and formats of single texts and numbers that packages must share.
export { isObject } from '@headwater/stac';
export { countOf } from './count-of.ts';
export { fieldSummary, type FieldRule } from './field-problems.ts';
export { isIsoDay } from './iso-day.ts';
export { percentOf } from './percent-of.ts';
export { editDistance, similarity } from './places/edit-distance.ts';
export { sha256 } from './sha256.ts';
export { hasControlCharacters, replaceControlCharacters } from './control-characters.ts';
export { isStorable, storableText } from './storable-text.ts';
