import type { CredentialSource } from '@headwater/identity';
import { describe, expect, it } from 'vitest';
import { createHeadwater } from '../../headwater.ts';
import { type FetchContext, toFetchHandler } from '../../hosts/fetch-handler.ts';
import { crossSiteTest } from '../../reading/origins.ts';
import { callerByAddress, isNear, listedAddresses } from './callers.ts';

const from = (
  remoteAddress: string | undefined,
  headers: CredentialSource['headers'] = {},
  trustedHops?: number,
): CredentialSource => ({ method: 'POST', remoteAddress, headers, trustedHops });
const forwarded = (text: string): CredentialSource['headers'] => ({ 'x-forwarded-for': text });

describe('a loopback or private address', () => {
  it.each(
    (
      '127.0.0.1 127.9.9.9 ::1 ::ffff:127.0.0.1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.7.7 fd00::1 fc00::1 ' +
      'fe80::1%eth0 ::ffff:10.2.3.4'
    ).split(' '),
  )('is %s', (address) => expect(isNear(from(address))).toBe(true));

  it.each(
    (
      '203.0.113.9 172.15.0.1 172.32.0.1 192.169.0.1 100.64.0.1 2001:db8::1 ::ffff:8.8.8.8 :: localhost 0.0.0.0 ' +
      '127.0.0.1,10.0.0.1'
    ).split(' '),
  )('is not %s', (address) => expect(isNear(from(address))).toBe(false));

  it('is not an empty or unknown address', () => {
    expect([isNear(from('')), isNear(from(undefined))]).toEqual([false, false]);
  });

  it('is accepted only if the host trusts all entries of X-Forwarded-For', () => {
    expect(isNear(from('10.0.0.1', forwarded('10.0.0.1')))).toBe(false);
    expect(isNear(from('10.0.0.1', forwarded('10.0.0.1'), 1))).toBe(true);
    expect(isNear(from('10.0.0.1', forwarded('203.0.113.9, 10.0.0.1'), 1))).toBe(false);
    expect(isNear(from('10.0.0.1', { 'x-forwarded-for': ['10.0.0.7', '10.0.0.1'] }, 1))).toBe(false);
    expect(isNear(from('10.0.0.1', forwarded(''), 0))).toBe(false);
  });

  it.each(['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'])(
    'is not accepted if the request has the header %s of a proxy but no X-Forwarded-For',
    (name) => {
      expect(isNear(from('127.0.0.1', { [name]: 'x' }))).toBe(false);
      expect(isNear(from('127.0.0.1', { [name]: 'x', ...forwarded('127.0.0.1') }, 1))).toBe(true);
    },
  );
});

describe('listed addresses', () => {
  const [here, all] = [listedAddresses(['127.0.0.1', '203.0.113.0/24']), listedAddresses(['0.0.0.0/0', '::/0'])];
  it('do not match a client behind an untrusted proxy at a loopback or private address', () => {
    expect([from('127.0.0.1'), from('203.0.113.9'), from('203.0.113.9', forwarded('198.51.100.1'))].map(here)).toEqual([
      true,
      true,
      true,
    ]);
    expect([from('127.0.0.1', forwarded('203.0.113.9')), from(undefined), from('10.0.0.1')].map(here)).toEqual([
      false,
      false,
      false,
    ]);
  });
  it('include clients at unknown addresses only if all addresses are listed', () => {
    expect([from('127.0.0.1', forwarded('203.0.113.9')), from(undefined), from('2001:db8::1')].map(all)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

it('callers without secret and token are counted by their address, or by the network of an IPv6 address', () => {
  const keyOf = (address: string | undefined): string => callerByAddress(from(address)).key;
  expect(keyOf('2001:db8::1')).toBe(keyOf('2001:db8::ffff'));
  expect(keyOf('::ffff:203.0.113.9')).toBe(keyOf('203.0.113.9'));
  expect(new Set([keyOf(undefined), keyOf('203.0.113.9'), keyOf('203.0.113.8')]).size).toBe(3);
});

describe('crossSiteTest', () => {
  const isCrossSite = crossSiteTest({ baseUrl: 'https://maps.example.org/geo', origins: ['https://partner.example'] });
  it.each([
    [{}, false],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://elsewhere.example' }, true],
    [{ origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'null' }, true],
    [{ origin: '' }, true],
    [{ origin: 'https://maps.example.org' }, false],
    [{ origin: 'https://partner.example', 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'http://localhost:3000' }, false],
    [{ origin: 'http://10.0.0.5:8000', host: '10.0.0.5:8000' }, false],
    [{ origin: 'http://10.0.0.5:8001', host: '10.0.0.5:8000' }, true],
  ])('a request with the headers %j is from a page of another site: %s', (headers, expected) =>
    expect(isCrossSite(from('127.0.0.1', headers))).toBe(expected),
  );
});

describe('a fetch handler', () => {
  const statusFor = async (context: FetchContext | undefined, headers: Record<string, string> = {}) => {
    const secret = 'x'.repeat(16) + 'y'.repeat(16);
    const headwater = createHeadwater({ baseUrl: 'http://localhost:1', secret, workService: {} });
    const request = new Request('http://localhost:1/api/export-status?asset_id=x', { headers });
    const { status } = await toFetchHandler(headwater.service)(request, context);
    await headwater.close();
    return status;
  };
  it('refuses a client at a public address, or at an address that the host does not pass on', async () => {
    expect([await statusFor(undefined), await statusFor({})]).toEqual([403, 403]);
    expect([await statusFor({ remoteAddress: '127.0.0.1' }), await statusFor({ remoteAddress: '8.8.8.8' })]).toEqual([
      200, 403,
    ]);
  });
  it('refuses a client behind a proxy if the host has not read X-Forwarded-For', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.7' };
    expect(await statusFor({ remoteAddress: '10.0.0.7' }, headers)).toBe(403);
    expect(await statusFor({ remoteAddress: '10.0.0.7', trustedHops: 1 }, headers)).toBe(200);
  });
});
