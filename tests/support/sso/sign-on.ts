// The steps of a sign-on, as the browser and the page make them, on a server in this process.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '@jiaowu/api/exact-json'
import type { Tokens } from '@jiaowu/api/contract/session'
import type { TestApp } from '@jiaowu/server/testing'

export const origin = 'http://jiaowu.test'

/** The path of a settings file with these providers. */
export function providersFile(providers: readonly object[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'jiaowu-sso-')), 'sso.json')
  writeFileSync(path, JSON.stringify({ providers }))
  return path
}

export interface Step {
  readonly status: number
  readonly location: string
  /** The parameters of the page `/#/sso`. */
  readonly page: URLSearchParams
  readonly cookie: string
}

async function readSignOnStep(response: Response): Promise<Step> {
  const location = response.headers.get('location') ?? ''
  return {
    status: response.status,
    location,
    page: new URLSearchParams(location.startsWith('/#/sso?') ? location.slice(7) : ''),
    cookie: (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '',
  }
}

export async function begin(
  app: TestApp,
  id: string,
  { redirect, cookie = '' }: { readonly redirect?: string; readonly cookie?: string } = {},
): Promise<Step> {
  const query = redirect === undefined ? '' : `?${new URLSearchParams({ redirect }).toString()}`
  return await readSignOnStep(await app.call(`/auth/${id}/start${query}`, { headers: { cookie } }))
}

/** The return of the browser from the provider. */
export async function back(
  app: TestApp,
  id: string,
  query: URLSearchParams | string,
  cookie: string,
): Promise<Step> {
  return await readSignOnStep(
    await app.call(`/auth/${id}/callback?${query.toString()}`, { headers: { cookie } }),
  )
}

/** The exchange of the code by the page. */
export async function enter(
  app: TestApp,
  id: string,
  code: string | null,
  cookie: string,
): Promise<{ readonly status: number; readonly tokens: Tokens }> {
  const response = await app.call(`/auth/${id}/callback`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const { data } = parseJson(await response.text()) as { data: Tokens }
  return { status: response.status, tokens: data }
}
