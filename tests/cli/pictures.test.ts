import jsQR from 'jsqr'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { halfBlocks } from '../../apps/cli/src/terminal/half-blocks.ts'
import { qrLines } from '../../apps/cli/src/terminal/qr.ts'

/**
 * Half blocks as pixels, `scale` pixels per half block; filled blocks are white, as on a dark
 * terminal.
 */
function drawPixels(lines: readonly string[], scale: number) {
  const [width, height] = [(lines[0]?.length ?? 0) * scale, lines.length * 2 * scale]
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / scale)
      const block = lines[Math.floor(row / 2)]?.[Math.floor(x / scale)] ?? ' '
      data.set(
        block === '█' || block === (row % 2 === 0 ? '▀' : '▄')
          ? [255, 255, 255, 255]
          : [0, 0, 0, 255],
        (y * width + x) * 4,
      )
    }
  return { data, width, height }
}

describe('pictures in a terminal', () => {
  it.each([
    'http://127.0.0.1:7300/#/cashier/20261121000001?sign=0123456789abcdef',
    'weixin://wxpay/bizpayurl?pr=abc123',
  ])('draws a QR code that reads as %s', (text) => {
    const { data, width, height } = drawPixels(qrLines(text), 4)
    expect(jsQR(data, width, height)?.data).toBe(text)
  })
  it('fills the dark parts of a captcha and scales it to the width of the terminal', async () => {
    const half = { create: { width: 100, height: 40, channels: 3 as const, background: '#222' } }
    const picture = await sharp({
      create: { width: 200, height: 40, channels: 3, background: '#fff' },
    })
      .composite([{ input: await sharp(half).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer()
    const lines = halfBlocks(new Uint8Array(picture), 50)
    expect(lines).toHaveLength(5)
    for (const line of lines) expect(line).toBe('█'.repeat(25))
  })
  it('fills the blue parts of a captcha whose ground is as light', async () => {
    const blue = { create: { width: 100, height: 40, channels: 3 as const, background: '#6a82d8' } }
    const ground = { width: 200, height: 40, channels: 3 as const, background: '#a87830' }
    const picture = await sharp({ create: ground })
      .composite([{ input: await sharp(blue).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer()
    const lines = halfBlocks(new Uint8Array(picture), 50)
    for (const line of lines) expect(line).toBe('█'.repeat(25))
  })
})
