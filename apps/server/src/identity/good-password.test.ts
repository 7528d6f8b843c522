import { expect, it } from 'vitest'
import { isGoodPassword } from './good-password.ts'

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
    isGoodPassword('Zhang.San.7', ['zhang.san.7']),
    isGoodPassword('Zhang.San.7', ['lisi']),
  ]).toEqual([false, true])
})
it.each([
  ['the account with a tail', 'lihongmei', 'lihongmei2024'],
  ['the mobile', '13912345678', '13912345678'],
  ['the mobile with a letter', '13912345678', 'a13912345678'],
  ['the address before the @', 'x.qiang9@example.edu.cn', 'x.qiang9!'],
  ['the name', '欧阳若曦小明', '欧阳若曦小明12'],
])('refuses a password made of the account: %s', (_what, own, password) => {
  expect(isGoodPassword(password, [own])).toBe(false)
})
it('refuses what lists of leaked passwords begin with, and what is made of words and years', () => {
  for (const bad of [
    '123123123',
    '1q2w3e4r',
    'trustno1',
    'changeme1',
    'Summer2024',
    'Winter2025!',
    'woaini1314',
    '5201314520',
    'P@ssw0rd',
    'admin888',
    'a1b2c3d4',
    'qwe123456',
    'abc123456',
    'iloveyou520',
    'Aa123456',
    'Aa123456!',
    '20010101',
    'beijing2008',
    'qazwsx123',
    'zxcvbnm1',
    '987654321a',
    'letmein123',
    'football1',
    'superman1',
    'asd123456',
    'woaini520',
    '1234qwer',
    '147258369',
    '111222333',
    'password!',
    'Monkey123',
    'student123',
    'teacher123',
    'wang123456',
    'zhang888888',
    'laoshi123!',
    'Test1234!',
    'Abc@1234',
    '1qaz@WSX',
    'jiaowu@2026',
    'starwars',
    'baseball',
  ])
    expect(isGoodPassword(bad), bad).toBe(false)
})
