import type { DictItem, LookupAnswer } from '@jiaowu/api'
import type { LookupPorts, LookupQuestion } from '@jiaowu/machines'
import type { Spec } from '../spec.ts'
import { lookupModels } from './model.ts'
import { no, ok, same, type Scenes, type Stage } from '../../surfaces/server/server-driver.ts'
import { childTag, type ServerParts } from '../../surfaces/server/server-part.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { Api } from '../../surfaces/server/run-context.ts'

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
  const field = fields.find(({ dictValue }) => dictValue?.startsWith(`${childTag}.`) === true)
  const parentAttr = field?.options.cascades?.[0]?.attrName ?? ''
  if (field === undefined || parentAttr === '')
    throw new Error(`${grandTag} has no field chosen from ${childTag} under a parent`)
  const tree = await findTree(api)
  const all = (await api.entityData.page({ params: { tag: childTag }, body: { pageSize: 1 } }))
    .total
  const answers = answersOf(offered, parentAttr, all ?? 0)
  const { shown, sizeOf } = answers
  const scenes = scenesOf(subject, api, offered, tree, answers)
  const item = (_value: unknown, index: number): DictItem => ({ id: `${index}`, name: `${index}` })
  const spec: Spec<unknown> = {
    ...(lookupModels.parts.lookup as Spec<unknown>),
    unhandled: [],
    input: () => ({ tag: grandTag, fieldId: field.id }),
    events: {
      'lookup.open': { bare: {} },
      'lookup.close': { bare: {} },
      'lookup.retry': { bare: {} },
      'lookup.search': { ours: { searchKey: offered.stem } },
      'lookup.page': { second: { pageNum: 2 }, first: { pageNum: 1 } },
      'cascades.change': { parent: { cascades: { [parentAttr]: above.idOf('1') } } },
    },
    outcomes: {
      find: (asked: LookupQuestion) => ({
        paged: ok({ records: Array.from({ length: shown(asked) }, item), total: sizeOf(asked) }),
        none: ok({ records: [], total: 0 }),
        ...(tree === null ? {} : { plain: ok([item(null, 0)]) }),
        ended: no('session', 401),
      }),
    },
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.searchKey,
        s.context.pageNum,
        s.context.items.length > 0,
        s.context.cascades,
        s.matches({ open: 'failed' }),
      ]),
  }
  const ports: LookupPorts = {
    find: ({ tag, fieldId, searchKey, cascades, pageNum, pageSize }, signal) =>
      subject.api.entityData.lookup({
        params: { tag },
        body: { fieldId, searchKey, cascades, pageNum, pageSize },
        signal,
      }),
  }
  return {
    lookup: {
      spec,
      scenes,
      stage: (): Promise<Stage> => Promise.resolve({ ports: ports as never, scenes }),
    },
  }
}

type Answers = ReturnType<typeof answersOf>

/** What the server must answer; `all`: the number of choices of a question without conditions. */
function answersOf(offered: RowSet, parentAttr: string, all: number) {
  const ours = offered.aliases.map(offered.called)
  const isNarrow = ({ searchKey, cascades }: LookupQuestion) =>
    searchKey === offered.stem || parentAttr in cascades
  const sizeOf = (asked: LookupQuestion) => (isNarrow(asked) ? ours.length : all)
  const shown = (asked: LookupQuestion) =>
    Math.max(0, Math.min(asked.pageSize, sizeOf(asked) - (asked.pageNum - 1) * asked.pageSize))
  return { ours, isNarrow, sizeOf, shown }
}

function scenesOf(
  subject: Subject,
  api: Api,
  offered: RowSet,
  tree: Awaited<ReturnType<typeof findTree>>,
  { ours, isNarrow, sizeOf, shown }: Answers,
): Scenes {
  return {
    find: {
      paged: subject.usual((asked: LookupQuestion) => ({
        check: async (answer) => {
          const { records, total } = paged((answer as { output: LookupAnswer }).output)
          const strangers = isNarrow(asked)
            ? records
                .filter(({ name }) => !ours.includes(name))
                .map(({ name }) => `${name} does not fit the question`)
            : []
          const lines = [
            ...same('total', sizeOf(asked), total),
            ...same('number of choices', shown(asked), new Set(records.map(({ id }) => id)).size),
            ...strangers,
          ]
          if (asked.pageNum === 1) return lines
          const before = paged(
            await api.entityData.lookup({
              params: { tag: asked.tag },
              body: {
                fieldId: asked.fieldId,
                searchKey: asked.searchKey,
                cascades: asked.cascades,
                pageNum: 1,
                pageSize: asked.pageSize,
              },
            }),
          )
          return [
            ...lines,
            ...records
              .filter(({ id }) => before.records.some((other) => other.id === id))
              .map(({ name }) => `${name} stands on two pages`),
          ]
        },
      })),
      none: subject.usual((asked: LookupQuestion) => ({
        input: { ...asked, searchKey: `${offered.stem}no`, pageNum: 1 },
        check: (answer) =>
          same(
            'choices',
            { records: [], total: 0 },
            paged((answer as { output: LookupAnswer }).output),
          ),
      })),
      ...(tree === null
        ? {}
        : {
            plain: subject.usual((asked: LookupQuestion) => ({
              input: { ...asked, ...tree, searchKey: '', cascades: {}, pageNum: 1 },
              check: (answer) => {
                const { output } = answer as { output: LookupAnswer }
                if (!Array.isArray(output)) return ['a page instead of the whole tree']
                const ids = new Set((output as readonly DictItem[]).map(({ id }) => id))
                return (output as readonly DictItem[])
                  .filter(({ pid = '0' }) => pid !== '0' && !ids.has(pid))
                  .map(({ name, pid }) => `${name} hangs on ${pid}, which is not there`)
              },
            })),
          }),
      ended: subject.ended(),
    },
  }
}

/** A field of any entity whose choices are a tree; null where there is none. */
async function findTree(api: Api): Promise<{ tag: string; fieldId: string } | null> {
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

function paged(answer: LookupAnswer): {
  readonly records: readonly DictItem[]
  readonly total: number
} {
  return Array.isArray(answer)
    ? { records: answer as readonly DictItem[], total: -1 }
    : (answer as { records: readonly DictItem[]; total: number })
}
