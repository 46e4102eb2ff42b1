import { expect, it } from 'vitest';
import { userBody } from './users.ts';

it('shows a user with the members that existing clients read, and with may_compute, but without the password hash', () => {
  const user = {
    id: 1,
    username: 'test_user_0042',
    email: '',
    firstName: '',
    lastName: '',
    contactNumber: null,
    isActive: true,
    isSuperuser: false,
    mayCompute: true,
    mustChangePassword: false,
    passwordHash: 'secret',
    sessionVersion: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const profile = { age: null, educationQualification: null, gender: null, accountType: null };
  // The example of the interface specification, with may_compute added.
  expect(
    JSON.stringify(
      userBody({ user, profile, organization: null, requestedOrganization: null, groups: [], projects: [] }),
    ),
  ).toBe(
    '{"id":1,"username":"test_user_0042","email":"","first_name":"","last_name":"","contact_number":null,' +
      '"organization":null,"is_active":true,"groups":[],"project_details":[],"is_superadmin":false,"age":null,' +
      '"education_qualification":null,"gender":null,"profile_picture":null,"account_type":null,"may_compute":true}',
  );
});
