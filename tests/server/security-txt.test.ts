import { testApp } from '@jiaowu/server/testing'
import { expect, it } from 'vitest'
import { createApp } from '@jiaowu/server/app'

it('security.txt is plain text with the contact, and absent without one', async () => {
  const app = await testApp({ SECURITY_CONTACT: 'mailto:security@jw.example.edu.cn' })
  const bare = await testApp()
  try {
    const state = { migrating: false, draining: false }
    const get = (services: typeof app.services) =>
      createApp({ services, state }).fetch(
        new Request('http://jw.example/.well-known/security.txt'),
      )
    const reply = await get(app.services)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    expect(await reply.text()).toMatch(/^Contact: mailto:security@jw\.example\.edu\.cn\nExpires: /)
    expect((await get(bare.services)).status).toBe(404)
  } finally {
    await app.close()
    await bare.close()
  }
})
