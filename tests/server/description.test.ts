// The description of the API: for readers, for programs, and as a page.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = (await app.signIn('admin')).token
})
afterAll(() => app.close())

describe('the description of the API', () => {
  it('is described in both languages, by schemas with names', async () => {
    const load = async (lang: string) =>
      (await (await app.call(`/openapi.json?lang=${lang}`)).json()) as {
        paths: Record<string, Record<string, { summary: string; operationId: string }>>
        components: { schemas: Record<string, unknown> }
      }
    const [chinese, english] = [await load('zh-CN'), await load('en')]
    for (const [path, methods] of Object.entries(chinese.paths))
      for (const [method, { summary, operationId }] of Object.entries(methods)) {
        const translated = english.paths[path]?.[method]?.summary ?? ''
        expect([operationId, /[\u4e00-\u9fff]/.test(summary)]).toEqual([operationId, true])
        expect([operationId, /^[\x20-\x7e]{3,}$/.test(translated)]).toEqual([operationId, true])
      }
    const { schemas } = english.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Row',
        'Page',
        'PageQuery',
        'Refusal',
        'EntityDataConfig',
        'SessionSignIn',
      ]),
    )
    const text = JSON.stringify(english)
    for (const name of Object.keys(schemas))
      expect(text).toContain(`"#/components/schemas/${name}"`)
  })
  it('has a page to read and try it, under the policy of every reply', async () => {
    const page = await app.call('/docs')
    const text = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'self'; `)
    const parts = [...text.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(parts).toHaveLength(3)
    for (const path of parts) expect((await app.call(path.slice('/api'.length))).status).toBe(200)
    expect((await app.call('/docs/package.json')).status).toBe(404)
  })
  it(
    'makes a client with typed records, which compiles and runs',
    { timeout: 120_000 },
    async () => {
      const folder = await mkdtemp(join(root, 'packages', 'generated-client', '.test-'))
      try {
        const answer = await app.call('/openapi.json?entities=EDU_FACULTY', {
          headers: { authorization: `bearer ${token}` },
        })
        await writeFile(join(folder, 'api.json'), await answer.text())
        execFileSync(process.execPath, [
          join(root, 'packages/generated-client/node_modules/openapi-typescript/bin/cli.js'),
          join(folder, 'api.json'),
          '-o',
          join(folder, 'api.ts'),
          '--default-non-nullable=false',
        ])
        const compile = async (field: string) => {
          await writeFile(join(folder, 'program.ts'), writeProgram(field))
          const args = [
            '--noEmit',
            '--strict',
            '--skipLibCheck',
            '--module',
            'nodenext',
            '--target',
            'esnext',
          ]
          return spawnSync(
            process.execPath,
            [
              join(root, 'node_modules/typescript/bin/tsc'),
              ...args,
              '--allowImportingTsExtensions',
              join(folder, 'program.ts'),
            ],
            { encoding: 'utf8' },
          ).stdout
        }
        expect(await compile('nmae')).toContain("'nmae' does not exist")
        expect(await compile('name')).toBe('')
        const { run } = (await import(join(folder, 'program.ts'))) as {
          run: (fetch: (request: Request) => Promise<Response>, token: string) => Promise<unknown>
        }
        expect(
          await run((request) => app.fetch(request, { ip: '127.0.0.1', secure: false }), token),
        ).toEqual(['法学院', '法学'])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

/** A program of another party: adds a faculty, changes it and finds it. */
function writeProgram(field: string): string {
  return `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

export async function run(fetch: (request: Request) => Promise<Response>, token: string) {
  const client = createClient<paths>({
    baseUrl: 'http://jiaowu.test/api',
    fetch,
    headers: { authorization: 'bearer ' + token },
  })
  const made = await client.POST('/entity/EDU_FACULTY/data', {
    body: { code: 'LAW', ${field}: '法学院' },
  })
  const { id, version, name } = made.data!.data
  await client.PUT('/entity/EDU_FACULTY/data/{id}', {
    params: { path: { id } },
    body: { version: version!, name: '法学' },
  })
  const page = await client.POST('/entity/EDU_FACULTY/data/page', {
    body: { where: { and: [{ column: 'code', op: 'equal', value: 'LAW' }] } },
  })
  return [name, page.data!.data.records[0]?.name]
}
`
}
