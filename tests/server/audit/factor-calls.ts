// Calls of second factors, for the test that each writes its audit line in its own transaction.
import type { FactorStep } from '@jiaowu/api/contract/factor'
import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testPassword } from '@jiaowu/server/testing'
import { generate } from 'otplib'

type Client = Awaited<ReturnType<TestApp['signIn']>>
interface Scene {
  readonly app: TestApp
  readonly admin: Client
}

/** Gives the viewer a second factor for the time of a call. */
async function withFactor(
  { app }: Scene,
  use: (of: { readonly client: Client; readonly recovery: readonly string[] }) => Promise<unknown>,
): Promise<void> {
  const client = await app.signIn('viewer')
  const { secret } = await client.factor.enrolTotp({ body: {} })
  const epoch = Math.floor(app.services.now().getTime() / 1000)
  const code = await generate({ secret: secret ?? '', epoch })
  const { recovery } = await client.factor.enrolTotp({ body: { code } })
  await use({ client, recovery: recovery ?? [] })
  await client.factor.remove({ params: { id: 'totp' } })
}
export const factorCalls = {
  'factor.verify': (on: Scene) =>
    withFactor(on, async ({ recovery }) => {
      const body = { grant_type: 'password', username: 'viewer', password: testPassword } as const
      const refused = await on.app
        .client('')
        .session.signIn({ body })
        .catch((error: unknown) => toProblem(error).data as { factor: FactorStep })
      const token = 'factor' in refused ? refused.factor.token : ''
      return await on.app
        .client('')
        .factor.verify({ body: { token, kind: 'recovery', code: recovery[0] ?? '' } })
    }),
  'factor.challenge': 'counters and codes' as const,
  'factor.enrolTotp': (on: Scene) => withFactor(on, async () => {}),
  // tests/journeys/factor.test.ts
  'factor.enrolPasskey': 'needs a browser' as const,
  'factor.renewRecovery': (on: Scene) =>
    withFactor(on, ({ client }) => client.factor.renewRecovery({})),
  'factor.remove': (on: Scene) => withFactor(on, async () => {}),
  'account.resetFactors': (on: Scene) =>
    withFactor(on, async ({ client }) => {
      const { id } = await client.session.whoami({})
      return await on.admin.account.resetFactors({ params: { id } })
    }),
}
