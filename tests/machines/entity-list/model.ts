import type { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import type { EventObject, SnapshotFrom } from 'xstate'
import type { MachineModel } from '../machine-model.ts'
import { bare } from '../spec.ts'
import {
  listFooterModel,
  listFrozenModel,
  listGroupFailingModel,
  listGroupModel,
  listGroupPagesModel,
  listManyModel,
  listMonthsModel,
  listTableModel,
} from './group-models.ts'
import { listModel, type ListSeen, type Snapshot } from './list-model.ts'
import { entityListRules } from './rules.ts'
import { events, outcomes } from './samples.ts'

const listQueryModel = listModel(
  ['query.change', 'query.search', 'query.reset', 'list.refresh'],
  'multi',
)

const listPagesModel = listModel(
  ['sort.cycle', 'sort.set', 'page.go', 'query.search', 'list.refresh'],
  'multi',
  ['page.go'],
)
const listSizeModel = listModel(
  ['query.search', 'page.go', 'page.resize', 'row.saved', 'list.refresh'],
  'multi',
)
const listRowsModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel', 'row.saved'],
  'multi',
)
const listChosenModel = listModel(
  ['row.toggle', 'query.reset', 'query.search', 'list.refresh'],
  'multi',
)
const listSingleModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'single',
  'all',
)
const listPlainModel = listModel(
  ['row.toggle', 'rows.toggle', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'none',
  'all',
)
const listExportModel = listModel(
  ['export.start', 'export.progress', 'export.cancel', 'list.refresh'],
  'multi',
  'all',
)
const listButtonsModel = listModel(
  ['button.press', 'press.confirm', 'press.cancel', 'query.change', 'list.refresh'],
  'multi',
  'all',
)
const listDeletingModel = listModel(
  ['delete.ask', 'delete.confirm', 'delete.cancel', 'sort.cycle', 'page.go', 'list.refresh'],
  'multi',
)
const listBusyModel = listModel(
  [
    'delete.ask',
    'delete.confirm',
    'delete.cancel',
    'query.search',
    'query.reset',
    'page.resize',
    'row.saved',
  ],
  'single',
)

// Two pages with different rows: only those that are shown can be clicked.
const twoPages = listModel(
  ['row.toggle', 'rows.toggle', 'selection.all', 'page.go'],
  'multi',
  ['selection.all'],
  ['two', 'other'],
)
const listAllModel = {
  ...twoPages,
  events: { ...twoPages.events, 'row.toggle': { a: { id: 'a' } } },
  hidden: (
    { context: { page: shown } }: SnapshotFrom<typeof entityListMachine>,
    event: EventObject,
  ) =>
    event.type === 'row.toggle' &&
    !(shown?.records ?? []).some(
      ({ id }) => id === (event as EventObject & { readonly id: string }).id,
    ),
}
const listMatchingModel = listModel(
  [
    'rows.toggle',
    'selection.all',
    'selection.clear',
    'delete.ask',
    'delete.confirm',
    'delete.cancel',
  ],
  'multi',
  ['selection.all', 'delete.ask', 'selection.clear'],
)
const listAnewModel = listModel(
  ['rows.toggle', 'selection.all', 'query.search', 'query.reset', 'list.refresh'],
  'multi',
  ['selection.all'],
  ['two', 'all', 'none'],
)
const listChosenExportModel = listModel(
  ['rows.toggle', 'selection.all', 'export.start', 'export.cancel'],
  'multi',
  ['export.start'],
)
const listViewModel = listModel(
  ['view.apply', 'rows.toggle', 'page.go', 'delete.ask', 'delete.confirm', 'delete.cancel'],
  'single',
  ['view.apply'],
)

const listConditionsModel = listModel(
  ['query.change', 'query.search', 'condition.remove', 'conditions.clear', 'rows.toggle'],
  'multi',
  ['condition.remove', 'conditions.clear'],
  ['two', 'none'],
)
/** A total that is an estimate until it is counted beside the page. */
const listExactModel = listModel(['query.reset', 'query.search', 'page.go'], 'multi', 'all', [
  'about',
  'two',
])
const listExactAgainModel = listModel(['sort.set', 'list.refresh'], 'multi', 'all', [
  'about',
  'all',
  'down',
])
const listWhereModel = listModel(['where.apply', 'conditions.clear', 'query.reset'], 'multi', [
  'where.apply',
])
/** Back in the browser shows what an earlier address said. */
const listReturnModel = listModel(['address.show', 'page.go'], 'multi', 'all', ['two'])
const listReturnChosenModel = {
  ...listModel(['address.show', 'rows.toggle', 'selection.all'], 'multi', 'all'),
  events: {
    ...listModel(['rows.toggle', 'selection.all'], 'multi').events,
    'address.show': { second: events['address.show'].second },
  },
}
/** Opened by an address that also asks for what the list does not have. */
const listAddressModel = {
  ...listModel(['query.reset', 'page.go', 'view.apply'], 'multi', 'all', [
    'two',
    'none',
    'pastEnd',
  ]),
  input: {
    sent: () => ({ tag: 'A', address: '?q.name=x&nosuch=1&sorts=name:desc,gone&page=2&size=5' }),
    plain: () => ({ tag: 'A', address: '?q.name=y&q.no=' }),
  },
}

/** Deletions and presses that can be taken back, each as long as it is the last. */
const listUndoModel = {
  ...listModel(
    ['delete.ask', 'delete.confirm', 'button.press', 'undo.press', 'row.toggle'],
    'multi',
    ['undo.press'],
  ),
  events: {
    ...listModel([], 'multi').events,
    'delete.ask': { row: { id: 'b' } },
    'delete.confirm': bare,
    'button.press': { go: { code: 'go', row: null } },
    'undo.press': events['undo.press'],
    'list.refresh': bare,
  },
  outcomes: {
    ...listModel([], 'multi').outcomes,
    loadConfig: {
      multi: { ok: true, output: { ...outcomes.loadConfig.multi.output, recycles: true } },
    } as never,
    pressButton: {
      quiet: {
        ok: true,
        output: { refresh: false, undo: [{ tag: 'A', id: 'a', values: { name: 'before' } }] },
      },
      refused: outcomes.pressButton.refused,
      undoable: {
        ok: true,
        output: {
          refresh: true,
          undo: [{ tag: 'A', id: 'a', values: { name: 'before', version: 2 } }],
          said: 'pressed',
        },
      },
    } as never,
  },
  // Two changes: the one that can be taken back, and one before it.
  hidden: ({ context }: Snapshot, { type }: EventObject) =>
    context.undoNo >= 2 && (type === 'delete.ask' || type === 'button.press'),
}

export const entityListModels: MachineModel<ListSeen> = {
  parts: {
    plain: listPlainModel,
    single: listSingleModel,
    size: listSizeModel,
    busy: listBusyModel,
    chosen: listChosenModel,
    export: listExportModel,
    buttons: listButtonsModel,
    query: listQueryModel,
    pages: listPagesModel,
    rows: listRowsModel,
    all: listAllModel,
    matching: listMatchingModel,
    anew: listAnewModel,
    chosenExport: listChosenExportModel,
    view: listViewModel,
    deleting: listDeletingModel,
    conditions: listConditionsModel,
    where: listWhereModel,
    exact: listExactModel,
    exactAgain: listExactAgainModel,
    group: listGroupModel,
    groupPages: listGroupPagesModel,
    groupFailing: listGroupFailingModel,
    months: listMonthsModel,
    table: listTableModel,
    many: listManyModel,
    footer: listFooterModel,
    frozen: listFrozenModel,
    address: listAddressModel,
    return: listReturnModel,
    returnChosen: listReturnChosenModel,
    undo: listUndoModel,
  },
  rules: entityListRules,
  survivors: {
    'entityList.total starts in counting': 'no total is known at the start, so it is idle at once',
  },
}
