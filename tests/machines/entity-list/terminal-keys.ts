// The keys of the list on a terminal, and when each of them works.
import { allPermission } from '@jiaowu/api/limits'
import { entityListView } from '@jiaowu/machines/entity-list/view'
import { type Shown, zh } from '../../surfaces/terminal/driver.ts'
import { toldUndo } from './terminal-model.ts'

export const user = { permissions: [allPermission], user: {} }
export const buildUserView = (snapshot: Parameters<typeof entityListView>[0]) =>
  entityListView(snapshot, user)
export type View = Shown<typeof buildUserView>

export const isList = ({ step }: View) => step !== 'opening' && step !== 'broken'
export const isDeleting = ({ step }: View) => step === 'confirmingDelete'
export const hasQuestion = (v: View) => isDeleting(v) || v.question !== null
export const isFree = (v: View) => !hasQuestion(v)
export const isFailed = ({ step }: View) => step === 'failed' || step === 'broken'
const isQuery = (v: View) => isList(v) && isFree(v) && v.can.search
const takes = (v: View, event: Parameters<View['s']['can']>[0]) => isFree(v) && v.s.can(event)
export const columnsIn = ({ config }: View) =>
  (config?.fields ?? []).map(({ attrName }) => attrName)
export const hasLines = ({ rows, sections }: View) => rows.length > 0 || (sections ?? []).length > 0
const isAtGroup = ({ sections }: View) => (sections ?? []).length > 0
export const listLines = ({ rows, sections }: View) =>
  sections === null
    ? rows.map(({ id }) => id)
    : sections.flatMap(({ key, rows: inside }) => [`group ${key}`, ...inside.map(({ id }) => id)])

/** The keys, each with its label and when it works. Each that is not `listed` stands in the help only. */
export const keys: readonly {
  readonly key: string
  readonly label: string
  readonly listed?: true
  readonly works: (v: View) => boolean
}[] = [
  {
    key: 'enter',
    label: zh('cli.key.fold'),
    listed: true,
    works: (v) => isAtGroup(v) && takes(v, { type: 'group.toggle', key: '' }),
  },
  {
    key: 'space',
    label: zh('cli.key.choose'),
    listed: true,
    works: (v) => !isAtGroup(v) && v.rows.length > 0 && takes(v, { type: 'row.toggle', id: 'a' }),
  },
  { key: 'a', label: zh('list.selectAll'), works: (v) => takes(v, { type: 'rows.toggle' }) },
  { key: 'A', label: zh('chosen.all'), works: (v) => takes(v, { type: 'selection.all' }) },
  { key: 'x', label: zh('chosen.clear'), works: (v) => takes(v, { type: 'selection.clear' }) },
  { key: 'm', label: zh('cli.list.actions'), works: (v) => !isAtGroup(v) && v.rows.length > 0 },
  {
    key: 'e',
    label: zh('common.edit'),
    works: (v) => !isAtGroup(v) && v.rows.length > 0,
  },
  {
    key: 'd',
    label: zh('common.delete'),
    listed: true,
    works: (v) =>
      v.chosen > 0
        ? takes(v, { type: 'delete.ask' }) && v.matching === null
        : !isAtGroup(v) && v.rows.length > 0 && takes(v, { type: 'delete.ask', id: 'a' }),
  },
  { key: '↓', label: zh('cli.key.move'), works: (v) => listLines(v).length > 1 },
  { key: '/', label: zh('filter.open'), listed: true, works: isQuery },
  { key: 'c', label: zh('cli.list.clear'), works: (v) => takes(v, { type: 'conditions.clear' }) },
  { key: 's', label: zh('list.sort'), listed: true, works: isQuery },
  {
    key: 'S',
    label: zh('cli.list.sortMore'),
    works: (v) => isQuery(v) && v.sorts.length > 0,
  },
  {
    key: '→',
    label: zh('pager.next'),
    works: (v) => isList(v) && takes(v, { type: 'page.go', pageNum: v.pageNum + 1 }),
  },
  {
    key: '←',
    label: zh('pager.previous'),
    works: (v) => isList(v) && takes(v, { type: 'page.go', pageNum: v.pageNum - 1 }),
  },
  { key: 'z', label: zh('cli.list.size'), works: isQuery },
  { key: 'C', label: zh('cli.list.columns'), works: isList },
  { key: 'g', label: zh('cli.list.group'), works: isQuery },
  {
    key: 'G',
    label: zh('group.openAll'),
    works: (v) => !v.allOpen && takes(v, { type: 'groups.toggle' }),
  },
  {
    key: 'G',
    label: zh('group.closeAll'),
    works: (v) => v.allOpen && takes(v, { type: 'groups.toggle' }),
  },
  { key: 'f', label: zh('cli.list.figures'), works: isQuery },
  { key: 'v', label: zh('cli.list.views'), works: isQuery },
  { key: 'n', label: zh('common.add'), listed: true, works: isList },
  {
    key: 'b',
    label: zh('cli.list.buttons'),
    works: (v) =>
      isList(v) &&
      (v.config?.buttons ?? []).length > 0 &&
      takes(v, { type: 'button.press', code: 'go', row: null }),
  },
  { key: 'E', label: zh('list.export'), works: (v) => isList(v) && v.exporting === null },
  { key: 'u', label: zh('list.undo'), listed: true, works: canUndo },
  {
    key: 'r',
    label: zh('common.refresh'),
    listed: true,
    works: (v) => !isFailed(v) && takes(v, { type: 'list.refresh' }),
  },
  {
    key: 'r',
    label: zh('common.retry'),
    listed: true,
    works: (v) => isFailed(v) && takes(v, { type: 'list.refresh' }),
  },
]

function canUndo(v: View): boolean {
  const no = toldUndo(v.s as never)
  return no !== null && takes(v, { type: 'undo.press', no })
}
