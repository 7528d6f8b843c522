import { testApp, type TestApp } from '@jiaowu/server/testing'
import { captchaEnv } from '../student.ts'
import { startWechat, type Wechat } from './wechat.ts'

/** An app with payments that listens on no port, and a WeChat double that shares its clock. */
export async function payingApp(): Promise<{
  readonly app: TestApp
  readonly wechat: Wechat
  readonly stop: () => Promise<void>
}> {
  const clock = { now: () => new Date() }
  const wechat = await startWechat(() => clock.now())
  const app = await testApp({ ...captchaEnv, ...wechat.env })
  clock.now = app.services.now
  return {
    app,
    wechat,
    stop: async () => {
      await app.close()
      await wechat.close()
    },
  }
}
