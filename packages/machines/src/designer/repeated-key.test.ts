import { expect, it } from 'vitest'
import { readJson } from './edit.ts'
import { repeatedKey } from './repeated-key.ts'

it('finds a name that stands twice in one object, however it is written', () => {
  expect(
    [
      '{"a":1,"a":2}',
      '{"a":{"b":1,"c":[{"b":2}],"b":3}}',
      '{"a":1,"\\u0061":2}',
      '[{"x":":","x":"{"}]',
    ].map(repeatedKey),
  ).toEqual(['a', 'b', 'a', 'x'])
})
it('takes the same name in different objects, and texts that look like JSON', () => {
  expect(
    [
      '{}',
      '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
      '{"a":"\\"a\\":1, {","b":"}"}',
      '[1,[2,"x"]]',
    ].map(repeatedKey),
  ).toEqual([null, null, null, null])
})
it('is said in the JSON editor before a part is lost', () => {
  expect(readJson('{"tag":"A","tag":"B"}')).toEqual({
    draft: null,
    fault: { key: 'designer.json.keyExists', params: { name: 'tag' } },
  })
  expect(readJson('{')).toEqual({ draft: null, fault: { key: 'design.checkFormat' } })
})
