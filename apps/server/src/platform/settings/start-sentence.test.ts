import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { startSentence } from './start-sentence.ts'

async function failure(port: number, host: string) {
  return startSentence(
    (await once(createServer().listen(port, host), 'error').catch((error: unknown) => [error]))[0],
  )
}

it('names the setting to change', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1')
  await once(otherServer, 'listening')
  const { port } = otherServer.address() as { port: number }
  expect(await failure(port, '127.0.0.1')).toBe(
    `Port ${port} is in use: stop the other program or set PORT.`,
  )
  otherServer.close()
  expect(await failure(0, '192.0.2.1')).toBe('HOST 192.0.2.1 is no address of this machine.')
  expect(
    startSentence(
      Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), {
        code: 'EACCES',
        port: 80,
      }),
    ),
  ).toBe('PORT 80 may not be opened by this user.')
})
it('returns the message of any other error', () => {
  expect([startSentence(new Error('The tables are newer.')), startSentence('x')]).toEqual([
    'The tables are newer.',
    'x',
  ])
})
