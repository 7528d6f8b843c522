import { checkField } from '@jiaowu/validation'
import { expect, it } from 'vitest'
import { builtIn } from './index.ts'

// docs/spec/2-student-service-and-designer.md §5
it.each([
  ['SYS_USER', 'account', 4],
  ['SYS_USER', 'password', 6],
  ['SYS_ROLE', 'name', 3],
  ['SYS_APPLICATION', 'clientId', 3],
  ['SYS_MENU', 'name', 2],
])('%s.%s has at least %i characters', (tag, attrName, least) => {
  const field = builtIn
    .find((definition) => definition.tag === tag)
    ?.fields.find((each) => each.attrName === attrName)
  if (field === undefined) throw new Error(`${tag} has no field ${attrName}`)
  expect(checkField(field, 'a'.repeat(least)).fault).toBeNull()
  expect(checkField(field, 'a'.repeat(least - 1)).fault).toEqual({
    rule: 'minLength',
    message: { key: 'rule.minLength', params: { n: least } },
  })
})
