/** Hosting platform of files that this service serves. */
export const OWN_PLATFORM = 'headwater';
