import { DomainError, isDomainError } from '@headwater/core/errors';
import type { ErrorCode } from '@headwater/core';

/** An error as it crosses from a worker: class instances do not survive the copy. */
export interface WireError {
  readonly message: string;
  /** Set where it was a DomainError. */
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Set where one scene's files broke. */
  readonly sceneId?: string;
  readonly stack?: string;
}

/** What a worker answers to one task. */
export type Reply<R> = { readonly result: R } | { readonly error: WireError };

/** A broken scene, as the main thread sees it. */
export class SceneBroken extends Error {
  override readonly name = 'SceneBroken';
  readonly sceneId: string;
  constructor(sceneId: string, reason: string) {
    super(reason);
    this.sceneId = sceneId;
  }
}

/** Error -> plain data. */
export function toWire(error: unknown): WireError {
  if (isDomainError(error)) return { message: error.message, code: error.code, details: error.details };
  if (!(error instanceof Error)) return { message: String(error) };
  const sceneId = 'sceneId' in error && typeof error.sceneId === 'string' ? { sceneId: error.sceneId } : {};
  return { message: error.message, ...sceneId, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

/** Plain data -> error: a DomainError where it was one. */
export function fromWire(wire: WireError): Error {
  if (wire.code !== undefined) return new DomainError(wire.code, wire.message, { details: wire.details ?? {} });
  if (wire.sceneId !== undefined) return new SceneBroken(wire.sceneId, wire.message);
  const error = new Error(wire.message);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}
