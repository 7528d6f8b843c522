import sharp from 'sharp'
import { expect, it } from 'vitest'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

async function readPixels(answer: string) {
  const { data, info } = await sharp(await drawCaptcha(answer))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from({ length: info.width * info.height }, (_none, at) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 3, at * 3 + 3)
    return { lightness: 0.299 * red + 0.587 * green + 0.114 * blue, isInk: blue > red }
  })
}
const share = (pixels: readonly { isInk: boolean }[]) =>
  pixels.filter(({ isInk }) => isInk).length / pixels.length
const mean = (pixels: readonly { lightness: number }[]) =>
  pixels.reduce((sum, { lightness }) => sum + lightness, 0) / pixels.length

it('has 30 characters without look-alikes', () => {
  expect(captchaLetters).toHaveLength(30)
  expect(captchaLetters.join('')).not.toMatch(/[0O1IL8]/)
})
it('draws every character without fonts, as light as the ground', async () => {
  const empty = share(await readPixels(''))
  for (const letter of captchaLetters) {
    const pixels = await readPixels(letter.repeat(4))
    expect(share(pixels), letter).toBeGreaterThan(empty + 0.03)
    const [ink, ground] = [pixels.filter(({ isInk }) => isInk), pixels.filter((p) => !p.isInk)]
    expect(Math.abs(mean(ink) - mean(ground)), letter).toBeLessThan(16)
  }
})
it('never draws the same picture twice', async () => {
  const [a, b] = [await drawCaptcha('ABCD'), await drawCaptcha('ABCD')]
  expect(a.equals(b)).toBe(false)
})
