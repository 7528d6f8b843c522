import { expect, it } from 'vitest'
import { hashPassword, isGoodPassword, verifyPassword } from './password.ts'

it('accepts 8 to 128 of any characters', () => {
  for (const good of [
    'Audit-2026-pass!',
    '春眠不觉晓处处闻',
    '        a b c',
    'correct horse',
    'x'.repeat(64) + 'yz'.repeat(32),
  ])
    expect(isGoodPassword(good), good).toBe(true)
  for (const bad of ['', 'Sh0rt!x', '教务'.repeat(3), `${'abc-'.repeat(32)}x`])
    expect(isGoodPassword(bad), bad).toBe(false)
})
it('refuses common passwords, also with a suffix', () => {
  for (const bad of [
    'password123',
    'P@ssw0rd2024',
    'Passw0rd!',
    'qwerty12345',
    'admin@123',
    '1234567890',
    '87654321',
    'aaaaaaaa',
    '12121212',
    'abcdefgh',
    'QWERTYUI',
    'jiaowu2026',
    'woaini520',
    'test1234',
  ])
    expect(isGoodPassword(bad), bad).toBe(false)
})
it('refuses the account name', () => {
  expect([
    isGoodPassword('Zhang.San.7', 'zhang.san.7'),
    isGoodPassword('Zhang.San.7', 'lisi'),
  ]).toEqual([false, true])
})
it('verifies a hashed password', async () => {
  const stored = await hashPassword('春眠不觉晓处处闻', { log2: 4 })
  expect([
    await verifyPassword('春眠不觉晓处处闻', stored),
    await verifyPassword('春眠不觉晓处处闻 ', stored),
  ]).toEqual([true, false])
})
