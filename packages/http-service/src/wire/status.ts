import type { ErrorCode } from '@headwater/core';

/** The one table from failure codes to HTTP statuses. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  validation: 400,
  parse: 400,
  not_authenticated: 401,
  bad_authorization_header: 401,
  token_not_valid: 401,
  user_inactive: 401,
  user_not_found: 401,
  no_active_account: 401,
  password_change_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  cancelled: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  key_reused: 422,
  input_data: 422,
  no_scenes: 422,
  throttled: 429,
  internal: 500,
  crashed_repeatedly: 500,
  unavailable: 503,
  storage_full: 507,
};

/** Titles of problem details, by status. */
export const TITLE_OF: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};
