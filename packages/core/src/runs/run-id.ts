import { DomainError } from '../errors.ts';

/** Returns a version-7 UUID (RFC 9562, 5.7), so that ids sort by time. */
export function newRunId(now: Date): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  const ms = now.getTime();
  view.setUint32(0, Math.floor(ms / 0x10000));
  view.setUint16(4, ms % 0x10000);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** True for text in the format of a run's id. Check ids before a look-up, because some stores reject other text. */
export function isRunId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The `not_found` error for a run that does not exist or belongs to another user. */
export function unknownRun(runId: string): DomainError {
  const id = runId.slice(0, 64);
  return new DomainError('not_found', `The caller has no run ${JSON.stringify(id)}.`, { details: { kind: 'run', id } });
}
