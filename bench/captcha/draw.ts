// Draws captchas with the program's own code for train.py: node bench/captcha/draw.ts FILE [COUNT] [MODULE]
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import type * as Picture from '../../apps/server/src/identity/captcha-picture.ts'
import { captchaSample } from '../../apps/server/testing/captcha-sample.ts'

const own = '../../apps/server/src/identity/captcha-picture.ts'
const [file = 'captchas.bin', count = '10000', module] = process.argv.slice(2)
// Another checkout's module draws the pictures of another version.
const { captchaLetters, drawCaptcha } = (await import(
  module === undefined ? own : resolve(module)
)) as typeof Picture

const places = 4
const out = createWriteStream(file)
for (let n = 0; n < Number(count); n += 1) {
  const letters = Array.from({ length: places }, () =>
    Math.floor(Math.random() * captchaLetters.length),
  )
  const picture = await drawCaptcha(letters.map((letter) => captchaLetters[letter]).join(''))
  const sample = Buffer.concat([Buffer.from(letters), await captchaSample(picture)])
  if (!out.write(sample)) await once(out, 'drain')
}
out.end()
await once(out, 'finish')
