import { expect, it } from 'vitest'
import { hashPassword, isHashOutdated, oneTimeCost, verifyPassword } from './password.ts'

const poem = '春眠不觉晓处处闻'

it.each([
  ['scrypt', { log2: 4 }],
  ['the one of this program', undefined],
  ['the one of one-time passwords', oneTimeCost],
])('verifies a hashed password: %s', async (_name, cost) => {
  const stored = await hashPassword(poem, cost)
  expect([
    await verifyPassword(poem, stored),
    await verifyPassword(`${poem} `, stored),
    stored.includes(poem),
  ]).toEqual([true, false, false])
})

it('makes argon2id hashes with 19 MiB and two passes, and knows those of the earlier standard', async () => {
  const stored = await hashPassword(poem)
  expect(stored).toMatch(/^argon2id\$19456\$2\$1\$[\w-]{22}\$[\w-]{43}$/)
  const earlier = 'scrypt$17$8$1$c2FsdA$a2V5'
  const [cheap, once] = ['scrypt$12$8$1$c2FsdA$a2V5', await hashPassword(poem, oneTimeCost)]
  expect([stored, earlier, cheap, once].map(isHashOutdated)).toEqual([false, true, false, false])
})

it('is wrong for a text that is no hash', async () => {
  expect(await verifyPassword('', '')).toBe(false)
})
