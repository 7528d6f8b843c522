// How many captchas a matcher of stencils reads that has the letters of the product; a network reads more
// (docs/captcha.md).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { seeded } from '@jiaowu/server/testing/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captchaLetters, drawCaptcha } from '../../../apps/server/src/identity/captcha-picture.ts'
import { createReader } from '../../support/captcha-reader.ts'
import { catchProblem } from '../../support/student.ts'

const random = seeded(20_261_122)
const draw = (answer: string) => drawCaptcha(answer, random)
const anAnswer = () =>
  Array.from(
    { length: 4 },
    () => captchaLetters[Math.floor(random() * captchaLetters.length)],
  ).join('')

it('reads fewer than 3 of 100 pictures, with 24 samples a letter', async () => {
  const reader = await createReader(draw, captchaLetters)
  let [right, letters] = [0, 0]
  for (let n = 0; n < 100; n += 1) {
    const answer = anAnswer()
    const reading = await reader.read(await draw(answer))
    if (reading === answer) right += 1
    letters += [...reading].filter((letter, place) => letter === answer[place]).length
  }
  console.log(`${right} of 100 pictures read, ${letters} of 400 letters`)
  // The reader is no straw man: it reads four times as many letters as chance, 13.
  expect(letters).toBeGreaterThan(52)
  expect(right).toBeLessThan(3)
}, 300_000)

describe('one drawing a captcha', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app.close())
  const answerOf = async (key: string) =>
    (
      await app.services.database.kysely
        .selectFrom('sys.captcha')
        .select('answer')
        .where('key', '=', key)
        .executeTakeFirst()
    )?.answer
  const picture = (key: string) => app.call(`/captcha?key=${key}`)

  it('gives another answer with every picture of a key, so that votes over redraws say nothing', async () => {
    const answers = new Set<string | undefined>()
    for (let n = 0; n < 9; n += 1) {
      expect((await picture('0123456789abcdef-a')).status).toBe(200)
      answers.add(await answerOf('0123456789abcdef-a'))
    }
    expect(answers.size).toBeGreaterThan(6)
  })
  it('takes only the answer of the last picture', async () => {
    const { key } = await app.client('').student.captcha({})
    const first = await answerOf(key)
    const again = await app.client('').student.captcha({})
    expect(again.key).not.toBe(key)
    expect(await answerOf(key)).toBe(first)
  })
  it('keeps a key to its purpose: a student’s key has no picture for staff', async () => {
    const { key } = await app.client('').student.captcha({})
    const before = await answerOf(key)
    expect((await picture(key)).status).toBe(404)
    expect(await answerOf(key)).toBe(before)
    await picture('0123456789abcdef-b')
    const verifyTxt = (await answerOf('0123456789abcdef-b')) ?? ''
    const refused = await catchProblem(
      app.client('').student.verify({ body: { key: '0123456789abcdef-b', verifyTxt } }),
    )
    expect(refused.code).toBe(400)
  })
  it('draws no new picture for a key that has been answered', async () => {
    await picture('0123456789abcdef-c')
    await app.services.database.kysely
      .updateTable('sys.captcha')
      .set({ used_at: app.services.now() })
      .where('key', '=', '0123456789abcdef-c')
      .execute()
    expect((await picture('0123456789abcdef-c')).status).toBe(404)
  })
})
