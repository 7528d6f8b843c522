import { expect, it } from 'vitest'
import { isSafeAddress } from './address.ts'

it.each([
  'https://school.example/a?b=1#c',
  'HTTP://school.example',
  'http://10.0.0.1:8080/x',
  'https://isbn.example/{isbn}',
  '/entity/EDU_STUDENT/search',
  '/',
  '#/print/refunds',
])('%s may be stored', (address) => expect(isSafeAddress(address)).toBe(true))
it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://school.example/x',
  'mailto:a@b.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:///evil.example',
  'https://{host}/x',
  'www.school.example',
  '',
])('%j may not', (address) => expect(isSafeAddress(address)).toBe(false))
