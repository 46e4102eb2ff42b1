import { DomainError } from '@headwater/core';
import { fieldText, type WireFields } from './words.ts';

/** Validation error with the wire names and sentences of its fields. */
export class RequestError extends DomainError {
  readonly wireFields: WireFields;

  constructor(wireFields: WireFields, message = fieldText(wireFields)) {
    const entries = Object.entries(wireFields).map(([field, sentences]) => {
      return [field, sentences.map((message) => ({ rule: 'invalid', message }) as const)] as const;
    });
    super('validation', message, { fields: Object.fromEntries(entries) });
    this.wireFields = wireFields;
  }
}

/** Creates a validation error of one request member, by its wire name. */
export function badMember(name: string, sentence: string): RequestError {
  return new RequestError({ [name]: [sentence] });
}
