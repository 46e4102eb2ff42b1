import { createHash, randomBytes } from 'node:crypto';

/** The two ids of a job. */
export interface JobIds {
  /** Public id of a job and of its run at the orchestrator. */
  readonly id: string;
  /** Secret id. The workflow posts the result under this id. */
  readonly secretId: string;
}

/** Creates the ids of a new job. The public id is a digest of the secret id, so the secret id is not stored. */
export function newJobIds(): JobIds {
  const secretId = randomBytes(32).toString('hex');
  return { id: publicIdOf(secretId), secretId };
}

/** Jobs of earlier versions have only one id: a UUID of version 7. */
const EARLIER = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

/** Returns the id of a job from the id under which its result is posted. */
export function jobOfPost(posted: string): string {
  return EARLIER.test(posted) ? posted : publicIdOf(posted);
}

/** A UUID of version 8 (RFC 9562, section 5.8) with 122 bits of the digest. */
function publicIdOf(secretId: string): string {
  const hex = createHash('sha256').update(secretId).digest('hex');
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
