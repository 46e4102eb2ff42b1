import { DomainError } from '@headwater/core';
import { fieldText, type WireFields } from './words.ts';

/** A validation error with the wire names and sentences of its fields. */
export class RequestError extends DomainError {
  readonly wireFields: WireFields;

  /** `message` consists of the sentences of the fields by default. */
  constructor(wireFields: WireFields, message = fieldText(wireFields)) {
    const entries = Object.entries(wireFields).map(([field, sentences]) => {
      return [field, sentences.map((message) => ({ rule: 'invalid', message }) as const)] as const;
    });
    super('validation', message, { fields: Object.fromEntries(entries) });
    this.wireFields = wireFields;
  }
}

/** Creates a validation error of one member of the request. `name`: its name in the request. */
export function badMember(name: string, sentence: string): RequestError {
  return new RequestError({ [name]: [sentence] });
}
