import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSignedIn } from '../command-on-server.ts'
import { type Jiaowu, parseJsonLines } from '../command.ts'

let home: string
let jiaowu: Jiaowu
let stop: () => Promise<void>
let id = ''
beforeAll(async () => {
  ;({ home, jiaowu, stop } = await startSignedIn())
  const { out } = await jiaowu(['entity', 'list', 'EDU_FACULTY', '--size', '1', '--json'])
  id = String(parseJsonLines(out)[0]?.id)
}, 120_000)
afterAll(() => stop())

/** 毕业 in GB18030, and in Big5 the name 學院. */
const foreign = {
  GB18030: Buffer.from('b1cfd2b5', 'hex'),
  BIG5: Buffer.from('bec7b07c', 'hex'),
  'WINDOWS-1252': Buffer.from('Universit\xe9', 'latin1'),
}
const around = (before: string, bytes: Uint8Array, after: string) =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])

/** All commands that read text of a person, each with its bytes in a file or on stdin. */
const readers: readonly [name: string, run: (bytes: Uint8Array) => ReturnType<Jiaowu>][] = [
  [
    'add --from FILE',
    (bytes) => onFile(bytes, (file) => ['entity', 'add', 'EDU_FACULTY', '--from', file]),
  ],
  ['add --from -', (input) => jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', '-'], { input })],
  [
    'edit --from -',
    (input) => jiaowu(['entity', 'edit', 'EDU_FACULTY', id, '--from', '-'], { input }),
  ],
  [
    'import --mapping @FILE',
    (bytes) =>
      onFile(bytes, (file) => [
        'entity',
        'import',
        'EDU_FACULTY',
        file,
        '--mapping',
        `@${file}`,
        '--yes',
      ]),
  ],
  [
    'design lint',
    async (bytes) => {
      await writeFile(join(home, 'EDU_FACULTY.json'), bytes)
      return await jiaowu(['design', 'lint', 'EDU_FACULTY', '--dir', home])
    },
  ],
  ['login --password-stdin', (input) => jiaowu(['login', 'admin', '--password-stdin'], { input })],
]

async function onFile(bytes: Uint8Array, args: (file: string) => string[]) {
  const file = join(home, 'text.json')
  await writeFile(file, bytes)
  return await jiaowu(args(file))
}

describe('text in another encoding than UTF-8', { timeout: 180_000 }, () => {
  it.each(readers)('%s refuses it, naming the encoding', async (_name, run) => {
    for (const [encoding, bytes] of Object.entries(foreign)) {
      const refused = await run(around('{"code":"E1","name":"', bytes, '"}'))
      expect(refused).toMatchObject({ code: 2, out: '' })
      expect(refused.err).toContain(`不是 UTF-8，看起来是 ${encoding}`)
    }
  })
  it('UTF-16 and byte order marks are read', async () => {
    const texts = ['毕业一', '毕业二', '毕业三'].map((name, i) =>
      JSON.stringify({ code: `E${i + 2}`, name }),
    )
    const [plain = '', little = '', big = ''] = texts
    const bytes = [
      around('', Buffer.from('efbbbf', 'hex'), plain),
      Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(little, 'utf16le')]),
      Buffer.concat([Buffer.from('feff', 'hex'), Buffer.from(big, 'utf16le').swap16()]),
    ]
    for (const input of bytes)
      expect(
        await jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', '-'], { input }),
      ).toMatchObject({ code: 0 })
    const { out } = await jiaowu(['entity', 'list', 'EDU_FACULTY', '-f', 'name=毕业', '-c', 'name'])
    expect(out.match(/毕业./g)?.toSorted()).toEqual(['毕业一', '毕业三', '毕业二'].toSorted())
  })
})
