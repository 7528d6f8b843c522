import sharp from 'sharp'

/** Blue less red, which tells ink from ground as it does to people: a byte a pixel of the picture at half its size. */
export async function captchaSample(picture: Buffer): Promise<Buffer> {
  const [width, height] = [75, 26]
  const pixels = await sharp(picture)
    .removeAlpha()
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  return Buffer.from(
    Array.from({ length: width * height }, (_none, at) =>
      Math.min(255, Math.max(0, 128 + ((pixels[at * 3 + 2] ?? 0) - (pixels[at * 3] ?? 0)) / 2)),
    ),
  )
}
