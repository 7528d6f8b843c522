import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

it('verifies a hashed password', async () => {
  const stored = await hashPassword('春眠不觉晓处处闻', { log2: 4 })
  expect([
    await verifyPassword('春眠不觉晓处处闻', stored),
    await verifyPassword('春眠不觉晓处处闻 ', stored),
  ]).toEqual([true, false])
})
