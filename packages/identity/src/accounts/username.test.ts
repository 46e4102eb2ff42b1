import { describe, expect, it } from 'vitest';
import { mixesScripts, usernameKey } from './username.ts';

describe('usernameKey', () => {
  it.each([
    ['composed and decomposed letters', 'ren\u00e9', 'rene\u0301'],
    ['Devanagari letters with a dot, in one or two characters', '\u0958\u0932\u092e', '\u0915\u093c\u0932\u092e'],
    ['full and half width', '\uff41\uff53\uff48\uff41', 'asha'],
    ['a ligature', '\ufb01eld', 'field'],
    ['letters of any case', 'RENE\u0301', 'ren\u00e9'],
  ])('is the same for %s', (_name, one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  it('differs for different names', () => {
    expect(usernameKey('asha')).not.toBe(usernameKey('usha'));
  });
});

describe('mixesScripts', () => {
  it.each([
    'asha',
    'test_user_0042',
    'ren\u00e9@example.org',
    '\u0906\u0936\u093e_7',
    '\u0430\u0434\u043c\u0438\u043d',
    '\u7530\u4e2d\u30bf\u30ed\u30fc',
    '0042',
    '',
    // A Cherokee and a Georgian letter, of scripts that are not in `SCRIPTS`.
    '\u13a0\u10d0',
  ])('is false for %j', (name) => {
    expect(mixesScripts(name)).toBe(false);
  });

  it.each([
    ['a Cyrillic letter among Latin ones', '\u0430dmin'],
    ['a Greek letter among Latin ones', 'admi\u03bd'],
    ['a letter of a script that is not listed', 'admin\u13a0'],
    ['two scripts of India', '\u0915\u0995'],
  ])('is true for %s', (_name, name) => {
    expect(mixesScripts(name)).toBe(true);
  });
});
