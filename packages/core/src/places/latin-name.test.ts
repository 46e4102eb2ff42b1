import { placeSlug } from '@headwater/stac';
import { describe, expect, it } from 'vitest';
import { latinName, needsLatin } from './latin-name.ts';

describe('latinName', () => {
  it.each([
    ['जयपुर', 'Jaypur'],
    ['नागपुर', 'Nagpur'],
    ['उदयपुर', 'Udaypur'],
    ['अलवर', 'Alvar'],
    ['भरतपुर', 'Bharatpur'],
    ['राजस्थान', 'Rajasthan'],
    ['मध्य प्रदेश', 'Madhya Pradesh'],
    ['ओडिशा', 'Odisha'],
    ['ग्राम ५', 'Gram 5'],
    ['फ़तेहपुर', 'Phatehpur'],
    ['कर्नाटक', 'Karnatak'],
    ['ଓଡ଼ିଶା', 'Orisha'],
    ['தமிழ்', 'Tamil'],
    ['ಮೈಸೂರು', 'Maisuru'],
    ['తెలంగాణ', 'Telangana'],
    ['কলকাতা', 'Kalkata'],
    ['मुंबई', 'Mumbai'],
    ['കേരളം', 'Keralam'],
    ['(जय-पुर)', '(Jay-Pur)'],
    ['ÖÅÄ', 'OAA'],
  ])('writes %s as %s', (name, latin) => {
    expect(latinName(name)).toBe(latin);
    expect(placeSlug(latin)).not.toBe('');
  });

  it('returns an empty text for a name in an unsupported script, such as Arabic', () =>
    expect(latinName('لاہور')).toBe(''));
});

it.each([
  ['जयपुर', true],
  ['ग्राम 5', true],
  ['Jaipur जयपुर', false],
  ['Cacharé', false],
  ['5', false],
])('needsLatin(%s) is %s', (name, is) => expect(needsLatin(name)).toBe(is));
