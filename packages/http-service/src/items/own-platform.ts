/** Hosting platform of files that the service itself serves. */
export const OWN_PLATFORM = 'headwater';
