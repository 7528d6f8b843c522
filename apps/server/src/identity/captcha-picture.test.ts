import sharp from 'sharp'
import { expect, it } from 'vitest'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

async function darkShare(answer: string): Promise<number> {
  const { data } = await sharp(await drawCaptcha(answer))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.filter((level) => level < 130).length / data.length
}
it('has 30 characters without look-alikes', () => {
  expect(captchaLetters).toHaveLength(30)
  expect(captchaLetters.join('')).not.toMatch(/[0O1IL8]/)
})
it('draws every character without fonts', async () => {
  const empty = await darkShare('')
  for (const letter of captchaLetters)
    expect(await darkShare(letter.repeat(4)), letter).toBeGreaterThan(empty + 0.015)
})
it('never draws the same picture twice', async () => {
  const [a, b] = [await drawCaptcha('ABCD'), await drawCaptcha('ABCD')]
  expect(a.equals(b)).toBe(false)
})
