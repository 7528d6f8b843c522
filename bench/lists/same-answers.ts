// All contestants must answer the same rows, or their times say nothing.
import { seeded } from '../../apps/server/testing/random.ts'
import { openConnection } from './connection.ts'
import { type Asked, dialects, type Request } from './dialects.ts'
import type { Contestant } from './load.ts'
import { chooseWord } from './people.ts'

const size = 20

/** @throws Error that names the page whose rows or total differ */
export async function assertSameAnswers(contestants: readonly Contestant[]): Promise<void> {
  const random = seeded(5)
  const pages: Asked[] = [
    { pageNum: 1 },
    { pageNum: 2, city: 'city1', sort: 'score' },
    { pageNum: 1, name: chooseWord(random) },
    { pageNum: 1, note: chooseWord(random) },
    { pageNum: 40 },
  ]
  for (const asked of pages) {
    const found = new Map<string, { readonly ids: string[]; readonly total: number | null }>()
    for (const each of contestants) found.set(each.name, await readPage(each, asked))
    const [first] = found.values()
    for (const [name, { ids, total }] of found) {
      const isSame = String(ids) === String(first?.ids) && (total ?? first?.total) === first?.total
      if (!isSame)
        throw new Error(`${name} answers ${JSON.stringify(asked)} otherwise: ${total}, ${ids}`)
    }
  }
}

async function readPage({ kind, port, tokens }: Contestant, asked: Asked) {
  const connection = openConnection(port)
  const { method, path, body }: Request = dialects[kind].page(asked, size)
  const answer = await connection.send(method, path, tokens[0] ?? '', body)
  connection.close()
  if (answer.status !== 200) throw new Error(`${kind}: status ${answer.status}`)
  return dialects[kind].readPage(JSON.parse(answer.body))
}
