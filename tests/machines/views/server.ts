import {
  blankContent,
  pickViewContent,
  type SavedViews,
  type ViewContent,
} from '@jiaowu/api/entity/list/view'
import { viewsPorts } from '../../../apps/web/src/ports/views-ports.ts'
import type { AnyMachineSnapshot } from 'xstate'
import type { OwnViews } from '../../surfaces/server/rows/own-views.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { viewsModels } from './model.ts'
import { buildViewsCalls } from './server-calls.ts'

/**
 * Views of a list are opened, saved, renamed or deleted in another session; the list opens with
 * one; its columns are stored.
 */
export const serverViews: ServerParts = async ({ registrar, listed, views }) => {
  const subject = await registrar(),
    rows = await listed(),
    own = await views()
  const two = own.asKnown(await own.fresh()) as SavedViews
  const [viewA, viewB] = ['a', 'b'].map((alias) => two.views.find(({ id }) => id === alias))
  if (viewA === undefined || viewB === undefined)
    throw new Error('the views are not as they were made')
  const start = (isPreset: boolean) => () => ({ tag: rows.tag, isPreset })
  const draft = 'draft.change(name, starred), draft.submit, draft.cancel'
  return buildServerParts({
    model: viewsModels,
    ports: viewsPorts(subject.api),
    subject,
    calls: buildViewsCalls({ own, two, viewA, viewB }),
    samples: buildViewsSamples(rows, own, viewA),
    before: () => own.fresh(),
    key: (s) => buildViewsKey(own, s),
    start: start(false),
    ends: 'loadViews(two)',
    parts: {
      opening: {
        start: { plain: start(false), preset: start(true) },
        events: 'views.retry, view.open(a, b, plain, gone), columns.change(name)',
        ends: 'loadViews(two, opensA, ended), keepLayout(kept)',
      },
      changing: {
        events: 'view.open(a, b, plain), list.changed(other, asA), view.revert, view.save',
        ends: 'saveView(saved, stale, gone)',
      },
      naming: { events: `view.edit(shown), ${draft}` },
      editing: {
        events: `view.edit(a), ${draft}, view.open(a)`,
      },
      deleting: {
        events: 'view.open(a), view.delete(a), delete.confirm, delete.cancel',
      },
      star: {
        events: 'view.star(a, plain), view.open(a)',
      },
      columns: {
        events: 'columns.change(name, all), view.open(a, plain)',
      },
    },
  })
}

/** `viewA`: the personal view as the server stores it. */
function buildViewsSamples({ name, stem }: RowSet, own: OwnViews, viewA: ViewContent) {
  const shownOf = ({ columns: _columns, ...shown }: ViewContent) => shown
  return {
    'list.changed': {
      other: { ...shownOf(blankContent), queries: { [name]: `${stem}2` }, pageSize: 10 },
      asA: shownOf(pickViewContent(viewA)),
    },
    'columns.change': { name: { columns: [name] }, all: { columns: null } },
    'view.open': { a: { id: 'a' }, b: { id: 'b' }, plain: { id: null }, gone: { id: 'gone' } },
    'view.edit': { shown: { id: null }, a: { id: 'a' } },
    'draft.change': {
      name: { draft: { name: ` ${own.names.mine} ` } },
      starred: { draft: { isDefault: true } },
    },
    'view.delete': { a: { id: 'a' } },
    'view.star': { a: { id: 'a' }, plain: { id: null } },
  }
}

function buildViewsKey(own: OwnViews, s: AnyMachineSnapshot): readonly unknown[] {
  const c = s.context
  return [
    s.value,
    c.isTaken,
    c.data?.views.map((view: SavedViews['views'][number]) => [
      view.id,
      view.name,
      view.isDefault,
      own.kindOf(view),
    ]) ?? null,
    c.data?.opens,
    c.current,
    own.kindOf(c.now),
    c.now.columns,
    c.layout,
    s.matches({ ready: { layout: 'keeping' } }) ? c.sent : null,
    c.draft,
    s.hasTag('busy') ? c.save?.view.name : null,
    c.pendingDeletion,
    c.opens,
    c.problem?.kind ?? null,
  ]
}
