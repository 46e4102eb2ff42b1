import { describe, expect, it } from 'vitest';
import { blockBody, districtBody, normalizedName, stateBody } from './places.ts';

describe('records of the place directory', () => {
  it('have the members that clients read', () => {
    expect(stateBody({ id: 1, name: 'Andaman & Nicobar', isActive: true })).toEqual({
      id: 1,
      state_name: 'Andaman & Nicobar',
      active_status: true,
      normalized_state_name: 'Andaman Nicobar',
    });
    expect(districtBody({ id: 101, name: 'Janjgir-Champa', isActive: false, stateId: 1 })).toEqual({
      id: 101,
      district_name: 'Janjgir-Champa',
      active_status: false,
      state: 1,
      normalized_district_name: 'Janjgir Champa',
    });
    expect(blockBody({ id: 1001, name: 'Bero (East)', isActive: true, districtId: 101 })).toEqual({
      id: 1001,
      tehsil_name: 'Bero (East)',
      active_status: true,
      district: 101,
      normalized_tehsil_name: 'Bero East',
      normalized_block_name: 'Bero East',
      block_name: 'Bero (East)',
    });
  });

  it('have normalized names without punctuation and repeated spaces', () => {
    expect(normalizedName(' A  & (B)-C ')).toBe('A B C');
  });
});
