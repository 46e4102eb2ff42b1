import type { Person, PersonRequest, Registration } from '@headwater/identity';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { integerText, text } from '../../../wire/text.ts';

const GENDERS = ['M', 'F', 'O'] as const;
const ACCOUNT_TYPES = ['individual', 'org'] as const;

const DOCUMENTED_DETAILS = {
  first_name: z.string().max(150).optional().describe('Given name.'),
  last_name: z.string().max(150).optional().describe('Family name.'),
  contact_number: z.string().max(40).nullable().optional().describe('Telephone number, as the person writes it.'),
  age: z.int().min(0).max(150).nullable().optional().describe('Years.'),
  education_qualification: z.string().max(150).nullable().optional().describe('Highest degree, in any words.'),
  gender: z.enum(GENDERS).nullable().optional().describe('M male, F female, O other.'),
  account_type: z.enum(ACCOUNT_TYPES).nullable().optional().describe('Kind of account; it gives no rights.'),
};

/** Path parameter of a user. */
export const UserId = z.object({ id: integerText(1).describe('Id of a user.') });

/** Query of the list of users. */
export const UserListQuery = z.object({
  limit: integerText(1, 1000).optional().describe('Maximum number of users; default: all.'),
  offset: integerText(0).optional().describe('Number of users to skip; default 0.'),
});

/** Body of a registration, as OpenAPI documents it. */
export const RegisterRequest = z
  .object({
    username: z
      .string()
      .max(150)
      .describe('Letters of one script, digits and @ . + - _; must be unique, ignoring upper and lower case.'),
    email: z.string().max(254).describe('E-mail address; links to reset a forgotten password go there.'),
    password: z
      .string()
      .max(1024)
      .describe('At least 8 characters; not a common password, not only digits, and not similar to the name.'),
    password_confirm: z.string().max(1024).describe('The password again.'),
    ...DOCUMENTED_DETAILS,
    organization: z
      .string()
      .max(150)
      .optional()
      .describe(
        'Id or name of an organisation. The user joins the organisation after a superuser or one of its members accepts the user. An unknown name creates a new organisation, which is listed after a superuser accepts it.',
      ),
  })
  .meta({ id: 'RegisterRequest' });

/** Optional schema in which '' and null mean absent, because forms send an empty field as ''. */
function unlessBlank<T>(schema: z.ZodType<T>) {
  return z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());
}

/** Age in years. Forms send it as digits. */
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

/** Schema that parses a registration. Other members, such as `is_superuser`, are ignored. */
export const RegisterFields = z.object({
  username: text(150),
  email: text(254),
  password: text(1024),
  // Compared with the password later, so that all errors are reported together.
  password_confirm: text(1024),
  ...Details,
  organization: unlessBlank(text(150)),
});

/** Body of a superuser's request for a new user, as OpenAPI documents it. */
export const NewUserRequest = RegisterRequest.partial({ email: true })
  .omit({ password_confirm: true })
  .extend({
    may_compute: z.boolean().optional().describe('True, the default: the user may start computations.'),
  })
  .meta({ id: 'NewUserRequest' });

const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')],
  sentences.notBoolean,
);

/** Schema that parses a superuser's request for a new user. */
export const NewUserFields = z.object({
  username: text(150),
  email: unlessBlank(text(254)),
  password: text(1024),
  ...Details,
  organization: unlessBlank(text(150)),
  may_compute: unlessBlank(flag),
});

/** Body of a change of a user, as OpenAPI documents it; absent fields stay unchanged. */
export const ChangeUserRequest = z
  .object({
    email: z
      .string()
      .max(254)
      .optional()
      .describe(
        'New e-mail address. To change the address of the caller or of a superuser, `old_password` is required.',
      ),
    old_password: z
      .string()
      .optional()
      .describe("The caller's current password; required to change the e-mail of the caller or of a superuser."),
    ...DOCUMENTED_DETAILS,
    is_active: z
      .boolean()
      .optional()
      .describe(
        'False disables the account and ends every session of the user. Ignored unless the caller is a superuser.',
      ),
    may_compute: z
      .boolean()
      .optional()
      .describe('True: the user may start computations. Ignored unless the caller is a superuser.'),
  })
  .meta({ id: 'ChangeUserRequest' });

const clearable = (max: number) =>
  z
    .union([z.literal(''), text(max)], sentences.notText)
    .nullable()
    .optional();
const blankIsNull = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable().optional());

/** Schema that parses a change. Other fields are ignored, because dashboards send the whole user back. */
export const ChangeUserFields = z.object({
  username: z.string().optional(),
  email: z.union([z.literal(''), text(254)], sentences.notText).optional(),
  old_password: z.string().max(1024).optional(),
  first_name: clearable(150),
  last_name: clearable(150),
  contact_number: clearable(40),
  age: blankIsNull(years),
  education_qualification: clearable(150),
  gender: blankIsNull(z.enum(GENDERS, sentences.oneOf(GENDERS))),
  account_type: blankIsNull(z.enum(ACCOUNT_TYPES, sentences.oneOf(ACCOUNT_TYPES))),
  profile_picture: Details.profile_picture,
  is_active: unlessBlank(flag),
  may_compute: unlessBlank(flag),
});

/** Converts a change into domain terms. Only superusers can change rights. */
export function personRequestOf(
  userId: number,
  body: z.infer<typeof ChangeUserFields>,
  bySuperuser: boolean,
): PersonRequest {
  const { email, first_name: firstName, last_name: lastName, contact_number: contactNumber } = body;
  const { age, education_qualification: education, gender, account_type: accountType } = body;
  const { old_password: password, is_active: isActive, may_compute: mayCompute } = body;
  const profile = {
    ...(age === undefined ? {} : { age }),
    ...(education === undefined ? {} : { educationQualification: education === '' ? null : education }),
    ...(gender === undefined ? {} : { gender }),
    ...(accountType === undefined ? {} : { accountType }),
  };
  const change = {
    ...(email === undefined ? {} : { email }),
    ...(firstName === undefined ? {} : { firstName: firstName ?? '' }),
    ...(lastName === undefined ? {} : { lastName: lastName ?? '' }),
    ...(contactNumber === undefined ? {} : { contactNumber: contactNumber === '' ? null : contactNumber }),
    ...(bySuperuser && mayCompute !== undefined ? { mayCompute } : {}),
    ...(bySuperuser && isActive !== undefined ? { isActive } : {}),
    profile,
  };
  return { userId, change, ...(password === undefined ? {} : { password }) };
}

/** Converts a registration into domain terms. */
export function registrationOf(
  body: z.infer<typeof NewUserFields> & Partial<Pick<z.infer<typeof RegisterFields>, 'password_confirm'>>,
): Registration {
  const { username, email = '', password, password_confirm: passwordConfirm, organization } = body;
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
    ...(passwordConfirm === undefined ? {} : { passwordConfirm }),
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

/** Body of a 201: the new user. */
export const RegisteredBody = z.object({ ...NAMES, ...PROFILE }).meta({ id: 'RegisteredUser' });

/** A user, with the members that dashboards read. */
export const UserBody = z
  .object({
    ...NAMES,
    organization: z.string().nullable().describe('Id of the organisation.'),
    organization_name: z.string().optional(),
    requested_organization: z
      .object({ id: z.string(), name: z.string() })
      .optional()
      .describe('Organisation that the user wants to join, until a superuser or a member approves it.'),
    is_active: z.boolean(),
    groups: z.array(z.object({ id: z.int(), name: z.string() })),
    project_details: z.array(z.object({ project_id: z.int(), project_name: z.string() })),
    is_superadmin: z.boolean().describe('May manage users.'),
    ...PROFILE,
    may_compute: z.boolean().describe('May start computations.'),
  })
  .meta({ id: 'User' });

/** Organisations that a new user can choose. */
export const OrganizationList = z.array(z.object({ id: z.string(), name: z.string() })).meta({ id: 'Organizations' });

function namesOf({ user: { id, username, email, firstName, lastName, contactNumber } }: Person) {
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
    profile_picture: null,
    account_type: profile.accountType,
  };
}

/** Response with the user who just registered. */
export function registeredBody(person: Person): z.infer<typeof RegisteredBody> {
  return { ...namesOf(person), ...profileOf(person) };
}

/** A user in wire form, without the password hash. */
export function userBody(person: Person): z.infer<typeof UserBody> {
  const { user, organization, requestedOrganization: requested, groups, projects } = person;
  return {
    ...namesOf(person),
    organization: organization?.id ?? null,
    ...(organization === null ? {} : { organization_name: organization.name }),
    ...(requested === null ? {} : { requested_organization: { id: requested.id, name: requested.name } }),
    is_active: user.isActive,
    groups: groups.map(({ id, name }) => ({ id, name })),
    project_details: projects.map(({ id, name }) => ({ project_id: id, project_name: name })),
    is_superadmin: user.isSuperuser,
    ...profileOf(person),
    may_compute: user.mayCompute || user.isSuperuser,
  };
}
