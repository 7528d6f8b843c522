import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandAt } from '../command.ts'

// The modules that a command loads determine its start-up time. Times are measured by `npm run
// bench`, never asserted.
let home: string
let server: Server
let url = ''
const config = {
  tag: 'A',
  name: '甲',
  fields: [],
  buttons: [],
  options: {
    selection: true,
    operColumnShow: true,
    singleSelect: false,
    multiSelect: true,
    openType: 'drawer',
    sorts: [],
  },
  idField: 'id',
  tagField: null,
  permissions: [],
}
const page = { records: [], total: 0, size: 20, current: 1 }

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
  server = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json')
    if (request.url?.includes('/job/') === true) {
      reply
        .writeHead(404)
        .end(JSON.stringify({ success: false, code: 404, msg: '没有', traceId: 't', data: null }))
      return
    }
    reply.end(
      JSON.stringify({
        success: true,
        code: 200,
        msg: '',
        traceId: 't',
        data: request.url?.includes('/config') === true ? config : page,
      }),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  await rm(home, { recursive: true, force: true })
})

/**
 * Source files of all modules a command loads; chunks of the build are resolved by their source
 * maps.
 */
async function loadedBy(...args: string[]): Promise<readonly string[]> {
  const list = join(home, `${args.join('-').replaceAll(/\W/g, '')}.txt`)
  const ran = await commandAt(home, { url })(args, {
    env: { LOADED_MODULES: list, JIAOWU_TOKEN: 'x' },
    node: ['--import', join(import.meta.dirname, 'loaded-modules.mjs')],
  })
  expect(ran).toMatchObject({ code: args.includes('import') ? 5 : 0 })
  const files = (await readFile(list, 'utf8'))
    .trim()
    .split('\n')
    .filter((address) => address.startsWith('file:'))
    .map((address) => fileURLToPath(address))
  const sources = await Promise.all(
    files.map(async (file) =>
      existsSync(`${file}.map`) && file.includes('/dist/')
        ? (JSON.parse(await readFile(`${file}.map`, 'utf8')) as { sources: string[] }).sources
        : [file],
    ),
  )
  return sources.flat()
}
function among(sources: readonly string[], ...parts: readonly string[]) {
  return sources.filter((source) => parts.some((part) => source.includes(part)))
}
const screens = [
  '/node_modules/ink/',
  '/node_modules/react/',
  '/node_modules/@xstate/',
  '/node_modules/yoga-layout/',
  '/node_modules/qrcode/',
  '/node_modules/pngjs/',
  '/node_modules/exceljs/',
  '/screens/',
  '.tsx',
]

describe('start-up', () => {
  it('--version loads texts and options, but no screen, machine or client', async () => {
    const sources = await loadedBy('--version')
    expect(among(sources, 'src/main.ts', '/commander/')).not.toEqual([])
    expect(
      among(
        sources,
        ...screens,
        '/node_modules/xstate/',
        '/node_modules/ofetch/',
        'packages/machines/',
      ),
    ).toEqual([])
  })
  it('entity list loads the session machine, but no screen and no other machine', async () => {
    const sources = await loadedBy('entity', 'list', 'A')
    expect(among(sources, 'session/machine.ts', '/node_modules/xstate/')).not.toEqual([])
    expect(
      among(
        sources,
        ...screens,
        'transfer/machine.ts',
        'entity-form/machine.ts',
        'entity-list/machine.ts',
        'download/machine.ts',
        'lookup/machine.ts',
      ),
    ).toEqual([])
  })
  it('an import without a terminal loads its machine, but no screen', async () => {
    const sources = await loadedBy('entity', 'import', '--resume', '1')
    expect(among(sources, 'transfer/machine.ts')).not.toEqual([])
    expect(among(sources, ...screens.filter((part) => part !== '/screens/'))).toEqual([])
  })
})

describe('machines', () => {
  it('are listed, drawn and explored without a server', async () => {
    const jiaowu = commandAt(home, null)
    const listed = await jiaowu(['machine', 'ls', '--json'])
    expect(
      listed.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { name: string }).name),
    ).toEqual(expect.arrayContaining(['session', 'transfer', 'download', 'designer']))
    expect(await jiaowu(['machine', 'graph', 'entity-form'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^stateDiagram-v2\n[^]*loading --> editing/) as string,
    })
    const paths = JSON.parse((await jiaowu(['machine', 'paths', 'lookup', '--json'])).out) as {
      parts: Record<string, { transitions: { unreached: string[] }; sets: { paths: object[] }[] }>
    }
    for (const { transitions, sets } of Object.values(paths.parts))
      expect([transitions.unreached, (sets[0]?.paths.length ?? 0) > 0]).toEqual([[], true])
    for (const what of ['graph', 'paths'])
      expect(await jiaowu(['machine', what, 'nobody'])).toMatchObject({ code: 5, out: '' })
  })
})
