import { expect, it } from 'vitest'
import { rulesOfChecks } from './check-rules.ts'

it.each([
  ['CHECK ((code IS NOT NULL))', { required: true }],
  ['CHECK ((length(code) = 2))', { minLength: 2, maxChars: 2 }],
  ['CHECK ((length((code)::text) = 2))', { minLength: 2, maxChars: 2 }],
  ['CHECK ((char_length((code)::text) >= 3))', { minLength: 3 }],
  [
    'CHECK (((length((code)::text) > 2) AND (length((code)::text) <= 8)))',
    { minLength: 3, maxChars: 8 },
  ],
  [`CHECK (((code)::text <> ''::text))`, { required: true }],
  [`CHECK ((btrim((code)::text) <> ''::text))`, { required: true }],
  ['CHECK (((code IS NOT NULL) AND (other > 1)))', { required: true }],
  ['CHECK (((code IS NULL) OR (length(code) = 2)))', {}],
  [`CHECK (((code)::text ~ '^x'::text))`, {}],
  ['CHECK ((code >= 0))', {}],
])('of a text, %s', (definition, expected) => {
  expect(rulesOfChecks({ name: 'code', checks: [definition] }, false)).toEqual(expected)
})

it.each([
  ['CHECK ((mark >= 0))', { min: 0 }],
  ['CHECK (((mark >= (0)::numeric) AND (mark <= (100)::numeric)))', { min: 0, max: 100 }],
  [`CHECK (((mark >= '-1.5'::numeric)))`, { min: -1.5 }],
  ['CHECK ((mark < 100))', {}],
  ['CHECK ((mark > other))', {}],
  ['CHECK ((VALUE >= 1))', { min: 1 }],
])('of a number, %s', (definition, expected) => {
  expect(rulesOfChecks({ name: 'mark', checks: [definition] }, true)).toEqual(expected)
})
