// The words of a page for rows that are not stored, as it follows from the machine's context.
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridContext } from '@jiaowu/machines/grid-edit/context'
import { sentence, zh } from '../../surfaces/sentences.ts'
import type { Shown } from '../../surfaces/web/table.ts'

type View = Shown<typeof gridEditView>
/** The rows that leaving would give up, as the question names them. */
const leftRows = 5

type Edit = GridContext['edits'][string]
export function findGridRow(c: GridContext, row: number) {
  const extra = c.added[row - (c.total ?? 0)]
  const stored = extra === undefined ? c.blocks[0]?.[row] : extra.row
  const edit: Edit | undefined = c.edits[stored?.id ?? extra?.key ?? '']
  return { stored, edit }
}

interface Open {
  readonly key: string
  readonly edit: Edit
}

function openEdits(c: GridContext): readonly Open[] {
  return Object.entries(c.edits)
    .filter(
      ([, { id, values }]) =>
        id !== null || Object.values(values).some((each) => each !== null && each !== ''),
    )
    .map(([key, edit]) => ({ key, edit }))
}

/** A row that is not stored, as it is named: by the field of names, with its first red or typed cell. */
function openText(c: GridContext, { edit }: Open): string {
  const stored = edit.theirs ?? edit.base
  const title = String((edit.id === null ? edit.values['name'] : stored?.['name']) ?? '')
  const name = title === '' ? (edit.id ?? zh('grid.newRow')) : title
  const [red] = Object.keys(edit.faults)
  const attrName = red === '' ? undefined : (red ?? Object.keys(edit.values)[0])
  const label = c.columns.find((field) => field.attrName === attrName)?.uiLabel
  const fault = red === undefined ? undefined : edit.faults[red]
  const reason =
    edit.theirs !== null
      ? zh('grid.staleRow')
      : fault === undefined
        ? zh('grid.waits')
        : sentence(fault)
  return label === undefined
    ? zh('grid.unsavedRow', { name, reason })
    : zh('grid.unsavedCell', { name, label, reason })
}

export function formatNextUnsaved({ s, c, save, loading, unsaved: n }: View): string {
  const all = openEdits(c)
  const isReverting = s.matches({ table: { ready: 'reverting' } })
  if (all.length === 0 || save === 'saving' || (isReverting && save !== 'offline')) return ''
  if (save === 'waiting' && loading === 'failed') return ''
  const { stored } = findGridRow(c, c.selection.anchor.row)
  const at = stored?.id ?? c.added[c.selection.anchor.row - (c.total ?? 0)]?.key
  const next = all[(all.findIndex(({ key }) => key === at) + 1) % all.length]
  return next === undefined ? '' : zh('grid.unsavedNext', { n, row: openText(c, next) })
}

export function formatUnsavedLeft({ s, c }: View): string {
  if (!s.matches({ table: { ready: { leaving: 'asking' } } })) return ''
  const all = openEdits(c)
  const more = all.length - leftRows
  return [
    ...all.slice(0, leftRows).map((each) => openText(c, each)),
    ...(more > 0 ? [zh('grid.leaveMore', { n: more })] : []),
  ].join('')
}

/** The states in which the active cell can be worked on. */
const isResting = ({ s }: View) =>
  s.matches({ table: { ready: 'selecting' } }) ||
  s.matches({ table: { ready: { editing: 'typing' } } })

export function formatCellTip(view: View): string {
  const { c } = view
  const { row, col } = c.selection.anchor
  const { edit } = findGridRow(c, row)
  const attrName = c.columns[col]?.attrName ?? ''
  const fault =
    edit?.faults[attrName] ?? (attrName in (edit?.values ?? {}) ? edit?.faults[''] : undefined)
  return isResting(view) && edit?.theirs === null && fault !== undefined ? sentence(fault) : ''
}

export function formatCellConflict(view: View): string {
  const { edit } = findGridRow(view.c, view.c.selection.anchor.row)
  const theirs = edit?.theirs ?? null
  const isChoosing = view.s.matches({ table: { ready: 'selecting' } })
  if (!isChoosing || edit === undefined || theirs === null) return ''
  const by = edit.theirsBy
  const shown = (value: unknown) => (value === null || value === '' ? zh('grid.emptyCell') : value)
  return [
    by === null
      ? zh('grid.staleRow')
      : zh('grid.conflictBy', { name: by.name ?? zh('grid.system'), at: by.at }),
    ...view.c.columns
      .filter(({ attrName }) => attrName in edit.values)
      .flatMap(({ attrName, uiLabel }) => [
        uiLabel,
        `${zh('grid.conflictMine')} ${String(shown(edit.values[attrName]))}`,
        `${zh('grid.conflictTheirs')} ${String(shown(theirs[attrName]))}`,
      ]),
  ].join('')
}
