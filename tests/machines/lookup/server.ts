import type { DictItem } from '@jiaowu/api/entity/values'
import type { LookupAnswer } from '@jiaowu/api/contract/entity/entity-data'
import type { LookupPorts, LookupQuestion } from '@jiaowu/machines/lookup/ports'
import { type Faults, must, expectSame } from '../../surfaces/server/checks.ts'
import { answers, type CallOf, refuseEndedSession } from '../../surfaces/server/endings.ts'
import { childTag, choosesFrom } from '../../surfaces/server/fixtures.ts'
import { firstRow, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { lookupModels } from './model.ts'

const grandTag = 'EDU_CLASS'

/**
 * The choices of a field that depends on another: many, few by search, few by the parent, none, a
 * tree.
 */
export const serverLookup: ServerParts = async ({ run, admin, parents, children }) => {
  const subject = await admin(),
    above = await parents(),
    offered = await children()
  const { api } = await run.helper('admin')
  const { fields } = await api.entityData.config({ params: { tag: grandTag } })
  const field = fields.find(choosesFrom(childTag))
  const parentAttr = field?.options.cascades?.[0]?.attrName ?? ''
  if (field === undefined || parentAttr === '')
    throw new Error(`${grandTag} has no field chosen from ${childTag} under a parent`)
  const all = (await firstRow(api, childTag)).total
  const ports = lookupPorts(subject.api)
  return buildServerParts({
    model: lookupModels,
    ports,
    subject,
    start: () => ({ tag: grandTag, fieldId: field.id }),
    samples: {
      'lookup.search': { ours: { searchKey: offered.stem } },
      'cascades.change': { parent: { cascades: { [parentAttr]: above.idOf('1') } } },
    },
    calls: {
      find: buildFindCall({ api, offered, parentAttr, all, tree: await findTree(api) }),
    },
    key: (s) => [
      s.value,
      s.context.searchKey,
      s.context.pageNum,
      s.context.items.length > 0,
      s.context.cascades,
      s.matches({ open: 'failed' }),
    ],
    parts: { lookup: {} },
  })
}

function lookupPorts(api: Api): LookupPorts {
  return {
    find: ({ tag, ...body }, signal) => api.entityData.lookup({ params: { tag }, body, signal }),
  }
}

interface Choices {
  /** The client of another user. */
  readonly api: Api
  readonly offered: RowSet
  readonly parentAttr: string
  /** Number of choices of a question without conditions. */
  readonly all: number
  readonly tree: Pick<LookupQuestion, 'tag' | 'fieldId'> | null
}

function buildFindCall({
  api,
  offered,
  parentAttr,
  all,
  tree,
}: Choices): CallOf<LookupPorts, 'find'> {
  const ours = offered.aliases.map(offered.called)
  const isNarrow = ({ searchKey, cascades }: LookupQuestion) =>
    searchKey === offered.stem || parentAttr in cascades
  const sizeOf = (asked: LookupQuestion) => (isNarrow(asked) ? ours.length : all)
  const shown = (asked: LookupQuestion) =>
    Math.max(0, Math.min(asked.pageSize, sizeOf(asked) - (asked.pageNum - 1) * asked.pageSize))
  const item = (_value: unknown, index: number): DictItem => ({ id: `${index}`, name: `${index}` })
  return {
    paged: answers(
      (asked) => ({ records: Array.from({ length: shown(asked) }, item), total: sizeOf(asked) }),
      (asked) => ({
        check: (answer) => {
          const { records, total } = toLookupPage(answer)
          return [
            expectSame('total', sizeOf(asked), total),
            expectSame(
              'number of choices',
              shown(asked),
              new Set(records.map(({ id }) => id)).size,
            ),
            records.map(({ name }) =>
              must(!isNarrow(asked) || ours.includes(name), `${name} does not fit the question`),
            ),
            asked.pageNum === 1 ? [] : onOnePage(api, asked, records),
          ]
        },
      }),
    ),
    none: answers({ records: [], total: 0 }, (asked) => ({
      input: { ...asked, searchKey: `${offered.stem}no`, pageNum: 1 },
      check: (answer) => expectSame('choices', { records: [], total: 0 }, toLookupPage(answer)),
    })),
    ...(tree === null
      ? {}
      : {
          plain: answers([item(null, 0)], (asked) => ({
            input: { ...asked, ...tree, searchKey: '', cascades: {}, pageNum: 1 },
            check: wholeTree,
          })),
        }),
    ended: refuseEndedSession(),
  }
}

/** The choices do not stand on the first page too. */
async function onOnePage(
  api: Api,
  asked: LookupQuestion,
  records: readonly DictItem[],
): Promise<Faults> {
  const { signal } = new AbortController()
  const first = toLookupPage(await lookupPorts(api).find({ ...asked, pageNum: 1 }, signal))
  const ids = new Set(first.records.map(({ id }) => id))
  return records.map(({ id, name }) => must(!ids.has(id), `${name} stands on two pages`))
}

function wholeTree(answer: LookupAnswer): Faults {
  if (!isList(answer)) return ['a page instead of the whole tree']
  const ids = new Set(answer.map(({ id }) => id))
  return answer.map(({ name, pid = '0' }) =>
    must(pid === '0' || ids.has(pid), `${name} hangs on ${pid}, which is not there`),
  )
}

/** A field of any entity whose choices are a tree; null where there is none. */
async function findTree(api: Api): Promise<Choices['tree']> {
  for (const tag of ['SYS_USER', 'EDU_STUDENT', 'SYS_MENU']) {
    const config = await api.entityData.config({ params: { tag } }).catch(() => null)
    const field = config?.fields.find(
      ({ uiType, dictData }) =>
        (uiType === 'selectTree' || uiType === 'multiSelectTree') && dictData === undefined,
    )
    if (field !== undefined) return { tag, fieldId: field.id }
  }
  return null
}

function toLookupPage(answer: LookupAnswer) {
  return isList(answer) ? { records: answer, total: -1 } : answer
}

function isList(answer: LookupAnswer): answer is Extract<LookupAnswer, readonly DictItem[]> {
  return Array.isArray(answer)
}
