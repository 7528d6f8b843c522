import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import { password, type RunningServer } from './server.ts'

export interface StaffClient {
  readonly api: Client<typeof contract>
  readonly token: string
}

/** A signed-in client of a staff user for a running server. */
export async function staffClient(
  { url }: Pick<RunningServer, 'url'>,
  username = 'admin',
  secret = password,
): Promise<StaffClient> {
  let token: string | null = null
  const api = createClient({
    baseURL: `${url}/api`,
    locale: () => 'zh-CN',
    authorise: () =>
      Promise.resolve(token === null ? undefined : { token, account: '', accountId: '' }),
  })
  token = (
    await api.session.signIn({ body: { grant_type: 'password', username, password: secret } })
  ).access_token
  return { api, token }
}
