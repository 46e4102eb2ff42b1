import { describe, expect, it } from 'vitest';
import { mutate } from '../mutations.fixture.ts';
import { sampleCollectionWithAlternates, sampleServed, sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';

const ITEM = ['assets', 'data', 'alternate'];
const WITHOUT_HREF = ['item_assets', 'data', 'alternate'];
const messagesOf = (document: unknown): readonly string[] =>
  validate(document, { profile: 'headwater' })
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, rule, pointer }) => `${severity} ${rule} ${pointer}`);

describe('alternate addresses of assets', () => {
  it('are checked and valid in the response of a service, for an Item and a Collection', () => {
    for (const document of [sampleServed(), sampleCollectionWithAlternates()])
      expect(
        validate(document, { profile: 'headwater' }).filter(({ rule }) => /unchecked|alternate/.test(rule)),
      ).toEqual([]);
  });

  it.each([
    [ITEM, {}, 'alternate.object /assets/data/alternate'],
    [ITEM, [], 'alternate.object /assets/data/alternate'],
    [ITEM, { latest: 'https://example.org/' }, 'alternate.alternate /assets/data/alternate/latest'],
    [ITEM, { latest: {} }, 'alternate.href /assets/data/alternate/latest/href'],
    [ITEM, { latest: { href: 'a b' } }, 'alternate.href /assets/data/alternate/latest/href'],
    [ITEM, { latest: { href: 'x', title: 7 } }, 'metadata.title /assets/data/alternate/latest/title'],
    [['assets', 'data', 'alternate:name'], '', 'alternate.name /assets/data/alternate:name'],
    [['assets', 'alternate'], sampleVector().assets.data, 'alternate.asset-key /assets/alternate'],
  ])('of an Item: %j set to %j is an error', (path, value, expected) => {
    expect(messagesOf(mutate(sampleServed(), path, value))).toEqual([`error ${expected}`]);
  });

  it('of item_assets must not have an href', () => {
    const document = mutate(sampleCollectionWithAlternates(), WITHOUT_HREF, {
      latest: { href: 'https://example.org/' },
    });
    expect(messagesOf(document)).toEqual(['error alternate.href /item_assets/data/alternate/latest/href']);
  });

  it('are reported if the extension is not declared, and ignored if another version of the extension is declared', () => {
    const undeclared = { ...sampleServed(), stac_extensions: sampleVector().stac_extensions };
    expect(new Set(messagesOf(undeclared).map((each) => each.split(' /')[0]))).toEqual(
      new Set(['warning extension.undeclared']),
    );
    const other = 'https://stac-extensions.github.io/alternate-assets/v1.0.0/schema.json';
    const older = { ...undeclared, stac_extensions: [...undeclared.stac_extensions, other] };
    expect(messagesOf(mutate(older, ITEM, 'x')).filter((each) => each.startsWith('error'))).toEqual([]);
  });
});
