import { describe, expect, it } from 'vitest'
import { planRoles } from './role-mapping.ts'

const school = new Set(['A', 'B', 'C', 'ROLE_ADMIN'])
const groups = (administrators = false) => ({
  claim: 'realm.groups',
  roles: { a: ['A'], both: ['A', 'B'], gone: ['X'], admins: ['ROLE_ADMIN'] },
  administrators,
})
const claims = (...names: string[]) => ({ realm: { groups: names } })

describe('planRoles', () => {
  it('gives the roles of groups and takes those of left ones, and leaves the others alone', () => {
    expect(planRoles(groups(), claims('both', 'unmapped'), school, ['C'])).toMatchObject({
      added: ['A', 'B'],
      taken: [],
    })
    expect(planRoles(groups(), claims('a'), school, ['A', 'B', 'C'])).toMatchObject({
      added: [],
      taken: ['B'],
    })
  })
  it('takes all mapped roles from a person without the claim', () => {
    for (const none of [{}, { realm: null }, { realm: { groups: { a: true } } }, claims()])
      expect(planRoles(groups(), none, school, ['A', 'C']).taken).toEqual(['A'])
  })
  it('takes one name as a group', () => {
    expect(planRoles(groups(), { realm: { groups: 'a' } }, school, []).added).toEqual(['A'])
  })
  it('neither gives nor takes the role of administrators unless it may', () => {
    expect(planRoles(groups(), claims('admins'), school, []).added).toEqual([])
    expect(planRoles(groups(), claims(), school, ['ROLE_ADMIN']).taken).toEqual([])
    expect(planRoles(groups(true), claims('admins'), school, []).added).toEqual(['ROLE_ADMIN'])
    expect(planRoles(groups(true), claims(), school, ['ROLE_ADMIN']).taken).toEqual(['ROLE_ADMIN'])
  })
  it('names roles that the school does not have, and gives none of them', () => {
    expect(planRoles(groups(), claims('gone'), school, [])).toEqual({
      added: [],
      taken: [],
      missing: ['X'],
    })
  })
  it('changes nothing without a mapping', () => {
    expect(planRoles(undefined, claims('a'), school, ['A'])).toEqual({
      added: [],
      taken: [],
      missing: [],
    })
  })
})
