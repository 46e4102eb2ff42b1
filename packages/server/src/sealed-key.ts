import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const ID_BYTES = 8;
/** Length, bytes: 96 bits, as NIST SP 800-38D recommends for GCM. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A decrypted text, or the reason of the failure: another secret, or damage. */
export type OpenedText =
  | { readonly kind: 'open'; readonly text: string }
  | { readonly kind: 'otherKey' }
  | { readonly kind: 'damaged' };

/** Encrypts texts for a database. */
export interface TextSealer {
  /** Encrypts a text. `purpose` says where the text is stored, such as a row; `open` needs the same `purpose`. */
  readonly seal: (purpose: string, text: string) => string;
  /** Decrypts a text. Never throws. */
  readonly open: (purpose: string, sealed: string) => OpenedText;
}

/** Creates a sealer (AES-256-GCM). HKDF (RFC 5869) derives the key from the secret. */
export function textSealer(secret: Uint8Array): TextSealer {
  const derive = (info: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `headwater credentials ${VERSION} ${info}`, bytes));
  const key = derive('key', KEY_BYTES);
  const keyId = derive('id', ID_BYTES).toString('base64url');
  return {
    seal: (purpose, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
      const content = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${keyId}.${content.toString('base64url')}`;
    },
    open: (purpose, sealed) => {
      const [version, id, content = ''] = sealed.split('.');
      if (version !== VERSION || id === undefined) return { kind: 'damaged' };
      if (id !== keyId) return { kind: 'otherKey' };
      const bytes = Buffer.from(content, 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
        return { kind: 'open', text: Buffer.concat(text).toString('utf8') };
      } catch {
        return { kind: 'damaged' };
      }
    },
  };
}
