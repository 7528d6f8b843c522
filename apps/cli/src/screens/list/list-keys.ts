import type { Row } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import { rowActions, toolbarButtons } from '@jiaowu/machines/entity-list/rights'
import { type Binding, offer } from '../ui.tsx'
import type { ListPart, ListPartProps } from './list-props.ts'

type KeyProps = Pick<
  ListPartProps,
  'view' | 'locale' | 'send' | 'user' | 'open' | 'onForm' | 'onLeave'
> & {
  /** The row at the cursor. */
  readonly row: Row | null
  /** The group at the cursor. */
  readonly group: string | null
  /** Number of the step that can be taken back. */
  readonly undo: number | null
}

/** Keys that the line below the list names; `?` shows all of them. */
export const mainKeys: readonly string[] = [
  'enter',
  'space',
  '/',
  's',
  'n',
  'd',
  'u',
  'y',
  'r',
  '?',
  'esc',
]

/** The answers to a question of the list. */
export function questionKeys({ view, locale, send }: KeyProps): readonly Binding[] {
  const isDeletion = view.step === 'confirmingDelete'
  const yes = () => send({ type: isDeletion ? 'delete.confirm' : 'press.confirm' })
  const no = () => send({ type: isDeletion ? 'delete.cancel' : 'press.cancel' })
  return [
    ...offer(true, 'y', t(locale, 'cli.key.yes'), yes),
    ...offer(true, 'n', t(locale, 'cli.key.no'), no),
    ...offer(true, 'esc', '', no),
  ]
}

/** Keys on the row or group at the cursor, and on the chosen rows. */
export function rowKeys(props: KeyProps): readonly Binding[] {
  const { view, locale, send, user, open, onForm, row, group } = props
  const { can, may, chosen } = view
  const actions = row === null ? [] : rowActions(view, row, user, () => {})
  const has = (kind: string) => actions.some((each) => each.kind === kind && each.enabled)
  const mayDelete = chosen > 0 ? can.askDelete && may.deleteSelected : has('delete')
  return [
    ...offer(group !== null && can.toggleGroup, 'enter', t(locale, 'cli.key.fold'), () =>
      send({ type: 'group.toggle', key: group ?? '' }),
    ),
    ...offer(row !== null && has('view'), 'enter', t(locale, 'cli.key.open'), () => {
      if (row !== null) open({ part: 'record', row })
    }),
    ...offer(row !== null && can.toggleRow, 'space', t(locale, 'cli.key.choose'), () => {
      if (row !== null) send({ type: 'row.toggle', id: row.id })
    }),
    ...offer(can.toggleAll, 'a', t(locale, 'list.selectAll'), () => send({ type: 'rows.toggle' })),
    ...offer(can.chooseAll, 'A', t(locale, 'chosen.all', { n: view.total ?? 0 }), () =>
      send({ type: 'selection.all' }),
    ),
    ...offer(can.clearSelection, 'x', t(locale, 'chosen.clear'), () =>
      send({ type: 'selection.clear' }),
    ),
    ...offer(actions.length > 0, 'm', t(locale, 'cli.list.actions'), () => {
      if (row !== null) open({ part: 'actions', row })
    }),
    ...offer(row !== null && has('edit'), 'e', t(locale, 'common.edit'), () => {
      if (row !== null) onForm(row.id)
    }),
    ...offer(mayDelete, 'd', t(locale, 'common.delete'), () => {
      if (chosen > 0) send({ type: 'delete.ask' })
      else if (row !== null) send({ type: 'delete.ask', id: row.id })
    }),
  ]
}

/** Keys on the list as a whole. */
export function listKeys(props: KeyProps): readonly Binding[] {
  const { view, locale, send, user, open, onForm, onLeave, undo } = props
  const { can, may, config, step, pageNum, pages } = view
  const isOpen = config !== null && step !== 'opening' && step !== 'broken'
  const canAsk = isOpen && can.search
  const show = (part: Exclude<ListPart['part'], 'value' | 'figure' | 'record' | 'actions'>) => () =>
    open({ part })
  const turn = (by: number) => () => send({ type: 'page.go', pageNum: pageNum + by })
  const hasButtons = config !== null && toolbarButtons(config, user, () => {}).length > 0
  const isWrong = step === 'broken' || step === 'failed'
  const canExport = view.chosen > 0 ? can.exportChosen : can.export
  return [
    ...offer(canAsk, '/', t(locale, 'filter.open'), show('filter')),
    ...offer(can.clearConditions, 'c', t(locale, 'cli.list.clear'), () =>
      send({ type: 'conditions.clear' }),
    ),
    ...offer(canAsk, 's', t(locale, 'list.sort'), show('sort')),
    ...offer(
      canAsk && view.sorts.length > 0,
      'S',
      t(locale, 'cli.list.sortMore'),
      show('sortMore'),
    ),
    ...offer(canAsk && pageNum < pages, '→', t(locale, 'pager.next'), turn(1)),
    ...offer(canAsk && pageNum < pages, 'pgdn', '', turn(1)),
    ...offer(canAsk && pageNum > 1, '←', t(locale, 'pager.previous'), turn(-1)),
    ...offer(canAsk && pageNum > 1, 'pgup', '', turn(-1)),
    ...offer(canAsk, 'z', t(locale, 'cli.list.size'), show('size')),
    ...offer(isOpen, 'C', t(locale, 'cli.list.columns'), show('columns')),
    ...offer(canAsk, 'g', t(locale, 'cli.list.group'), show('group')),
    ...offer(
      can.toggleGroups,
      'G',
      t(locale, view.allOpen ? 'group.closeAll' : 'group.openAll'),
      () => send({ type: 'groups.toggle' }),
    ),
    ...offer(canAsk, 'f', t(locale, 'cli.list.figures'), show('figures')),
    ...offer(canAsk, 'v', t(locale, 'cli.list.views'), show('views')),
    ...offer(isOpen && may.add, 'n', t(locale, 'common.add'), () => onForm(null)),
    ...offer(
      isOpen && hasButtons && can.press,
      'b',
      t(locale, 'cli.list.buttons'),
      show('buttons'),
    ),
    ...offer(may.export && canExport, 'E', t(locale, 'list.export'), show('export')),
    ...offer(undo !== null, 'u', t(locale, 'list.undo'), () => {
      if (undo !== null) send({ type: 'undo.press', no: undo })
    }),
    ...offer(can.refresh, 'r', t(locale, isWrong ? 'common.retry' : 'common.refresh'), () =>
      send({ type: 'list.refresh' }),
    ),
    ...offer(true, '?', t(locale, 'cli.list.keys'), show('help')),
    ...offer(can.cancelExport, 'esc', t(locale, 'common.cancel'), () =>
      send({ type: 'export.cancel' }),
    ),
    ...offer(!can.cancelExport, 'esc', t(locale, 'cli.key.leave'), onLeave),
  ]
}
