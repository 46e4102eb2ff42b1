import type { Person, Registration, User } from '@headwater/core';
import { z } from 'zod';
import { sentences } from '../sentences.ts';
import { integerText, text } from './text.ts';

const GENDERS = ['M', 'F', 'O'] as const;
const ACCOUNT_TYPES = ['individual', 'org'] as const;

/** Names, and what people tell of themselves, as OpenAPI tells them. */
const DOCUMENTED_DETAILS = {
  first_name: z.string().max(150).optional(),
  last_name: z.string().max(150).optional(),
  contact_number: z.string().max(40).nullable().optional(),
  age: z.int().min(0).max(150).nullable().optional().describe('Years.'),
  education_qualification: z.string().max(150).nullable().optional(),
  gender: z.enum(GENDERS).nullable().optional(),
  account_type: z.enum(ACCOUNT_TYPES).nullable().optional().describe('No right follows from it.'),
};

/** Path parameter of a user. */
export const UserId = z.object({ id: integerText(1).describe('Id of a user.') });

/** Body of a registration, as OpenAPI tells it. */
export const RegisterRequest = z
  .object({
    username: z
      .string()
      .max(150)
      .describe('Letters, digits and @ . + - _; nobody may have it, in any case of letters.'),
    email: z.string().max(254),
    password: z
      .string()
      .max(1024)
      .describe('At least 8 characters, not a common one, not digits alone, not like the name.'),
    password_confirm: z.string().max(1024).describe('The password once more.'),
    ...DOCUMENTED_DETAILS,
    organization: z.string().max(150).optional().describe('Id of an organisation, or a name; an unknown one is made.'),
  })
  .meta({ id: 'RegisterRequest' });

/** Forms send what was left empty as ''. */
function unlessBlank<T>(schema: z.ZodType<T>) {
  return z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());
}

/** Forms send digits. */
const years = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(sentences.notInteger),
);

const Details = {
  first_name: unlessBlank(text(150)),
  last_name: unlessBlank(text(150)),
  contact_number: unlessBlank(text(40)),
  age: unlessBlank(years),
  education_qualification: unlessBlank(text(150)),
  gender: unlessBlank(z.enum(GENDERS, sentences.oneOf(GENDERS))),
  account_type: unlessBlank(z.enum(ACCOUNT_TYPES, sentences.oneOf(ACCOUNT_TYPES))),
  profile_picture: unlessBlank(z.never(sentences.noPictures)),
};

/** What reads it. What else a body says (`is_superuser`) is not looked at. */
export const RegisterFields = z
  .object({
    username: text(150),
    email: text(254),
    password: text(1024),
    password_confirm: text(1024),
    ...Details,
    organization: unlessBlank(text(150)),
  })
  .refine((body) => body.password === body.password_confirm, {
    path: ['password'],
    message: sentences.newPasswordsDiffer,
  });

/** A registration in the words of the domain. */
export function registrationOf(body: z.infer<typeof RegisterFields>): Registration {
  const { username, email, password, organization } = body;
  const { first_name: firstName = '', last_name: lastName = '', contact_number: contactNumber } = body;
  const { age = null, education_qualification: educationQualification = null, gender = null } = body;
  return {
    username,
    email,
    password,
    firstName,
    lastName,
    ...(contactNumber === undefined ? {} : { contactNumber }),
    profile: { age, educationQualification, gender, accountType: body.account_type ?? null },
    ...(organization === undefined ? {} : { organization }),
  };
}

const NAMES = {
  id: z.int(),
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  contact_number: z.string().nullable(),
};
const PROFILE = {
  age: z.int().nullable(),
  education_qualification: z.string().nullable(),
  gender: z.enum(GENDERS).nullable(),
  profile_picture: z.null(),
  account_type: z.enum(ACCOUNT_TYPES).nullable(),
};

/** 201: somebody registered. */
export const RegisteredBody = z.object({ ...NAMES, ...PROFILE }).meta({ id: 'RegisteredUser' });

/** A user, with the members that dashboards read. */
export const UserBody = z
  .object({
    ...NAMES,
    organization: z.string().nullable().describe('Id of the organisation.'),
    organization_name: z.string().optional(),
    is_active: z.boolean(),
    groups: z.array(z.object({ id: z.int(), name: z.string() })),
    project_details: z.array(z.object({ project_id: z.int(), project_name: z.string() })),
    is_superadmin: z.boolean().describe('May manage users.'),
    ...PROFILE,
    may_compute: z.boolean().describe('May start computations.'),
  })
  .meta({ id: 'User' });

/** Organisations that one may register for. */
export const OrganizationList = z.array(z.object({ id: z.string(), name: z.string() })).meta({ id: 'Organizations' });

function namesOf({ id, username, email, firstName, lastName, contactNumber }: User) {
  return {
    id,
    username,
    email,
    first_name: firstName,
    last_name: lastName,
    contact_number: contactNumber,
  };
}

function profileOf({ profile }: Person) {
  return {
    age: profile.age,
    education_qualification: profile.educationQualification,
    gender: profile.gender,
    // Pictures are not kept.
    profile_picture: null,
    account_type: profile.accountType,
  };
}

/** Who just registered. */
export function registeredBody(person: Person): z.infer<typeof RegisteredBody> {
  return { ...namesOf(person.user), ...profileOf(person) };
}

/** A user as on the wire, never with his password's hash. */
export function userBody(person: Person): z.infer<typeof UserBody> {
  const { user, organization } = person;
  return {
    ...namesOf(user),
    organization: organization?.id ?? null,
    ...(organization === null ? {} : { organization_name: organization.name }),
    is_active: user.isActive,
    groups: [],
    project_details: [],
    is_superadmin: user.isSuperuser,
    ...profileOf(person),
    may_compute: user.mayCompute || user.isSuperuser,
  };
}
