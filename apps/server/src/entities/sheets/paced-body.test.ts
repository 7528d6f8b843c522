import { Readable } from 'node:stream'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { pacedBody, ReaderStalled } from './paced-body.ts'

function endless() {
  return Readable.from(
    (async function* () {
      for (;;) yield Buffer.alloc(1024)
    })(),
  )
}

it('ends a file whose reader stops reading, and closes its source', async () => {
  const file = endless()
  const reader = pacedBody(file, 20).getReader()
  expect((await reader.read()).value?.length).toBe(1024)
  await expect(once(file, 'close')).rejects.toThrow(ReaderStalled)
  await expect(reader.read()).rejects.toThrow(ReaderStalled)
  expect(file.destroyed).toBe(true)
})
it('waits for a slow source, and for a reader that goes on in time', async () => {
  const file = Readable.from(
    (async function* () {
      yield Buffer.from('a')
      await new Promise((resolve) => setTimeout(resolve, 60))
      yield Buffer.from('b')
    })(),
  )
  expect(await new Response(pacedBody(file, 30)).text()).toBe('ab')
})
it('closes its source when the reader leaves', async () => {
  const file = endless()
  const reader = pacedBody(file).getReader()
  await reader.read()
  await reader.cancel()
  expect(file.destroyed).toBe(true)
})
it('passes on an error of the source', async () => {
  const file = Readable.from(
    (async function* () {
      yield Buffer.from('a')
      throw new Error('broken')
    })(),
  )
  await expect(new Response(pacedBody(file)).text()).rejects.toThrow('broken')
})
