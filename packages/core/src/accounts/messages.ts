/** Field messages in the live system's words: its dashboards show them as they come. */
export const fieldMessages = {
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
} as const;
