import { DomainError } from '@headwater/core';
import { fieldText, type WireFields } from './words.ts';

/** A refusal of what was sent: its fields bear the names and sentences of the wire already. */
export class RequestError extends DomainError {
  readonly wireFields: WireFields;

  /** `message`: where more is to be said than the fields' own sentences. */
  constructor(wireFields: WireFields, message = fieldText(wireFields)) {
    const entries = Object.entries(wireFields).map(([field, sentences]) => {
      return [field, sentences.map((message) => ({ rule: 'invalid', message }) as const)] as const;
    });
    super('validation', message, { fields: Object.fromEntries(entries) });
    this.wireFields = wireFields;
  }
}

/** A refusal of one member of what was sent, by its name there. */
export function badMember(name: string, sentence: string): RequestError {
  return new RequestError({ [name]: [sentence] });
}
