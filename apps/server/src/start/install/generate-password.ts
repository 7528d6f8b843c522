import { randomBytes } from 'node:crypto'

/** 20 characters without look-alikes. */
export function generatePassword(): string {
  return [...randomBytes(20)]
    .map((byte) => 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 55])
    .join('')
}
