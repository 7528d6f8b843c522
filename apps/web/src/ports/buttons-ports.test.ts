import { createClient } from '@jiaowu/api/client/client'
import { expect, it } from 'vitest'
import { sendButtonRequest } from '@jiaowu/machines/buttons/send-request'

it('deletes one row whose key has a comma', async () => {
  const paths: string[] = []
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'en',
    authorise: () => Promise.resolve({ token: 't', account: 'a', accountId: '1' }),
    fetch: (input) => {
      paths.push(new URL(new Request(input).url).pathname)
      return Promise.resolve(
        Response.json({ success: true, code: 200, msg: '', data: { deleted: 1 }, traceId: 't' }),
      )
    },
  })
  const request = { tag: 'LIB', method: 'remove', id: 'a,b', values: {} } as const
  await sendButtonRequest(api, request, new AbortController().signal)
  expect(paths).toEqual(['/api/entity/LIB/data/a%2Cb'])
})
