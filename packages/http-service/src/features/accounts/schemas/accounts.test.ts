import { describe, expect, it } from 'vitest';
import { eoAccountGroups, eoAccountList } from './accounts.ts';

const accounts = [
  { id: 1, name: 'project-one', accountEmail: 'owner@example.org', isVisible: true },
  { id: 4, name: 'project-two', accountEmail: 'owner@example.org', isVisible: true },
  { id: 7, name: 'x', accountEmail: null, isVisible: true },
  { id: 8, name: 'odd', accountEmail: '__proto__', isVisible: true },
].map((account) => ({
  ...account,
  serviceAccountEmail: 'runner@example.org',
  platform: 'local' as const,
  isActive: true,
  visibleTo: 'all' as const,
  ownerId: null,
  organizationId: null,
  hasKey: true,
  exhaustedUntil: null,
}));

const COMPUTES = { mayCompute: true, isSuperuser: false };

describe('account bodies', () => {
  it('lists accounts', () => {
    expect(eoAccountList(accounts, COMPUTES).map(({ id }) => id)).toEqual([1, 4, 7, 8]);
    expect(eoAccountList(accounts, COMPUTES)[0]).toEqual({
      id: 1,
      name: 'project-one',
      account_email: 'owner@example.org',
      service_account_email: 'runner@example.org',
      platform: 'local',
      is_active: true,
    });
  });

  it('groups accounts by e-mail, also if the e-mail is __proto__', () => {
    expect(JSON.stringify(eoAccountGroups(accounts, COMPUTES))).toBe(
      '{"owner@example.org":[{"id":1,"name":"project-one"},{"id":4,"name":"project-two"}],' +
        '"no_account_email":[{"id":7,"name":"x"}],"__proto__":[{"id":8,"name":"odd"}]}',
    );
  });

  it('hides the e-mail of accounts from users who may not compute, except superusers', () => {
    const reader = { mayCompute: false, isSuperuser: false };
    for (const account of eoAccountList(accounts, reader))
      expect(account).toMatchObject({ account_email: null, service_account_email: null });
    expect(Object.keys(eoAccountGroups(accounts, reader))).toEqual(['no_account_email']);
    const root = { mayCompute: false, isSuperuser: true };
    expect(eoAccountList(accounts, root)).toEqual(eoAccountList(accounts, COMPUTES));
  });
});
