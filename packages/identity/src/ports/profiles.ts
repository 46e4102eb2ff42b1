/** What a person tells of himself when he registers; null where he said nothing. */
export interface UserProfile {
  /** Years. */
  readonly age: number | null;
  readonly educationQualification: string | null;
  readonly gender: 'M' | 'F' | 'O' | null;
  /** Whether he came alone or for an organisation. Nothing follows from it. */
  readonly accountType: 'individual' | 'org' | null;
}
