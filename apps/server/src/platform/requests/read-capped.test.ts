import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { readCapped } from './read-capped.ts'

function createStreamRequest(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>,
) {
  return new Request('http://jiaowu.test/', {
    method: 'POST',
    body: new ReadableStream({ pull }),
    duplex: 'half',
  } as RequestInit)
}
function captureReadStatus(work: Promise<unknown>) {
  return work.then(
    () => 200,
    (error: unknown) => (error instanceof Refusal ? error.status : Promise.reject(error)),
  )
}

it('reads a body within the limit', async () => {
  expect([
    ...(await readCapped(new Request('http://jiaowu.test/', { method: 'POST', body: 'abc' }), 3)),
  ]).toEqual([97, 98, 99])
  expect(await readCapped(new Request('http://jiaowu.test/'), 3)).toHaveLength(0)
})
it('stops at the limit whatever Content-Length says', async () => {
  let chunks = 0
  expect(
    await captureReadStatus(
      readCapped(
        createStreamRequest((c) => {
          chunks += 1
          c.enqueue(new Uint8Array(1000))
        }),
        5000,
      ),
    ),
  ).toBe(413)
  expect(chunks).toBeLessThan(10)
})
it('gives up on a body that stops, and on one that is too slow', async () => {
  expect(
    await captureReadStatus(
      readCapped(
        createStreamRequest(() => new Promise(() => {})),
        5000,
        40,
      ),
    ),
  ).toBe(408)
  expect(
    await captureReadStatus(
      readCapped(
        createStreamRequest(async (c) => {
          await sleep(5)
          c.enqueue(new Uint8Array(1))
        }),
        5000,
        60,
      ),
    ),
  ).toBe(408)
})
