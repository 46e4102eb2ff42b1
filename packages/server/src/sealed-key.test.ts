import { expect, it } from 'vitest';
import { textSealer } from './sealed-key.ts';

const secretOf = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(32, '.'));
const sealer = textSealer(secretOf('one'));

it('decrypts its own texts; each encryption of a text looks different, and contains nothing of the text', () => {
  const texts = ['{"private_key":"सुरक्षित"}', ''];
  for (const text of texts) {
    const sealed = [1, 2].map(() => sealer.seal('a', text));
    expect(new Set(sealed).size).toBe(2);
    expect(sealed.join('')).not.toContain('private_key');
    for (const each of sealed) expect(textSealer(secretOf('one')).open('a', each)).toEqual({ kind: 'open', text });
  }
});

it('reports that a text was encrypted with another secret', () => {
  expect(textSealer(secretOf('two')).open('a', sealer.seal('a', 'x'))).toEqual({ kind: 'otherKey' });
});

it('refuses a text that was encrypted for another purpose, and a changed or short text', () => {
  const sealed = sealer.seal('a', 'text');
  const [version, id, content = ''] = sealed.split('.');
  const flipped = content.slice(0, 20) + (content[20] === 'A' ? 'B' : 'A') + content.slice(21);
  expect(sealer.open('b', sealed)).toEqual({ kind: 'damaged' });
  for (const wrong of ['', 'v1', 'v2.x.y', `${version}.${id}.`, `${version}.${id}.AAAA`, `${version}.${id}.${flipped}`])
    expect(sealer.open('a', wrong)).toEqual({ kind: 'damaged' });
});
