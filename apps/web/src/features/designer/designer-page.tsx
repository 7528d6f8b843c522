import { Button } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { type ComponentProps, Suspense, useCallback, useRef, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Ask } from '../../ui/overlays/ask.tsx'
import { useNarrowLayout } from '../../app/use-narrow.ts'
import { Empty, Failed, Loading } from '../../ui/resource/page-state.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { ConfigPanel } from './config/config-panel.tsx'
import { ImpactDialog, StaleDesignDialog } from './dialogs.tsx'
import { DriftCallout } from './definitions/drift-callout.tsx'
import { type Dragged, useFieldDrag } from './field-drag.ts'
import { FieldsPanel } from './fields-panel.tsx'
import { JsonDialog } from './json/json-dialog.tsx'
import { Preview } from './preview/preview.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { RevisionsDrawer } from './definitions/revisions-drawer.tsx'
import { TableTools } from './table/table-tools.tsx'
import { useTableState } from './table/use-table-state.ts'
import { DesignerToolbar } from './toolbar.tsx'
import { tellSaved } from '../../app/saved-signal.ts'
import { definitionsSignal } from '../../ports/designer-ports.ts'
import { useFocusRecovery, usePartKeys } from './use-focus-recovery.ts'
import {
  type Designer,
  finishTyping,
  useDesigner,
  useDesignerKeys,
  useJump,
  useProblemLines,
} from './use-designer.ts'

const FlowTab = lazyPart(() => import('./flow/flow-tab.tsx').then((module) => module.FlowTab))

type Panel = 'columns' | 'fields' | 'config'
const panels = ['columns', 'fields', 'config'] as const

/**
 * Page /entity/{tag}/config/design (docs/spec/2-student-service-and-designer.md §2). Draws the
 * designer machine.
 */
export function DesignerPage({
  tag,
  table,
}: {
  readonly tag: string
  readonly table: string | null
}) {
  const { t } = useText()
  const { can } = useApi()
  return can('entity:design') ? (
    <Design tag={tag} table={table} />
  ) : (
    <Empty title={t('problem.forbidden')} />
  )
}

/** Reads the definition anew after a change of the table. */
function Design({ tag, table }: { readonly tag: string; readonly table: string | null }) {
  const [reads, setReads] = useState(0)
  return (
    <DesignOnce
      key={reads}
      tag={tag}
      table={reads === 0 ? table : null}
      onReload={() => setReads((n) => n + 1)}
    />
  )
}

function DesignOnce({
  tag,
  table,
  onReload,
}: {
  readonly tag: string
  readonly table: string | null
  readonly onReload: () => void
}) {
  const { t, locale } = useText()
  const designer = useDesigner(tag, table)
  const { view, send } = designer
  if (view.step === 'left') return null
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => send({ type: 'design.retry' })}
        more={
          <Button
            variant="minimal"
            text={t('designer.back')}
            onClick={() => send({ type: 'design.leave' })}
          />
        }
      />
    )
  return view.step === 'loading' ? (
    <Loading />
  ) : (
    <LoadedDesign designer={designer} onReload={onReload} />
  )
}

/** The designer once the definition is loaded. */
function LoadedDesign({
  designer,
  onReload,
}: {
  readonly designer: Designer
  readonly onReload: () => void
}) {
  const { t } = useText()
  const { toast } = useNotice()
  const { view, send } = designer
  const [panel, setPanel] = useState<Panel>('fields')
  const [note, setNote] = useState('')
  const [isRevisionsOpen, setRevisionsOpen] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const configRef = useRef<HTMLElement>(null)
  const jump = useJump(
    designer,
    configRef,
    useCallback(() => setPanel('config'), []),
  )
  const save = useCallback(() => {
    finishTyping()
    send({ type: 'design.save', ...(note.trim() === '' ? {} : { note }) })
    setNote('')
  }, [send, note])
  useDesignerKeys(page, designer, save)
  useFocusRecovery(page, view.step !== 'editing' || view.json !== null)
  usePartKeys(page)
  const lines = useProblemLines(view)
  return (
    <div
      className="jw-design"
      ref={page}
      data-step={view.step}
      tabIndex={-1}
      role="region"
      aria-label={t('designer.title', { name: view.draft.name })}
    >
      <DesignerToolbar
        view={view}
        send={send}
        note={note}
        onNote={setNote}
        onJump={jump}
        onRevisions={() => setRevisionsOpen(true)}
        onSave={save}
      />
      {lines.length === 0 ? null : (
        <div className="jw-fault" role="alert">
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </div>
      )}
      <DriftCallout view={view} send={(edit) => send({ type: 'draft.edit', edit })} />
      <Workbench
        designer={designer}
        panel={panel}
        onPanel={setPanel}
        configRef={configRef}
        onReload={onReload}
      />
      <Dialogs designer={designer} />
      {isRevisionsOpen ? (
        <RevisionsDrawer
          tag={view.draft.tag}
          draft={view.draft}
          canTake={view.can.edit}
          onClose={() => setRevisionsOpen(false)}
          onTake={(draft, n) => {
            send({ type: 'draft.edit', edit: { type: 'draft.replace', draft } })
            setRevisionsOpen(false)
            toast('info', t('designer.revisions.taken', { n }))
          }}
        />
      ) : null}
    </div>
  )
}

/** Columns, fields and configuration side by side; one at a time on narrow screens. */
function Workbench({
  designer,
  panel,
  onPanel,
  configRef,
  onReload,
}: {
  readonly designer: Designer
  readonly onReload: () => void
  readonly panel: Panel
  readonly onPanel: (panel: Panel) => void
  readonly configRef: ComponentProps<typeof ConfigPanel>['panel']
}) {
  const { view, send } = designer
  const narrow = useNarrowLayout()
  const drag = useDrop(designer)
  const edit = useCallback(
    (change: DesignerEdit) => send({ type: 'draft.edit', edit: change }),
    [send],
  )
  const select = (id: string | null) => {
    send(id === null ? { type: 'entity.select' } : { type: 'field.select', id })
    onPanel('config')
  }
  const previewing = view.view === 'list' || view.view === 'form' || view.view === 'details'
  const shows = (which: Panel) => !narrow || panel === which
  if (view.view === 'flow')
    return (
      <div className="jw-design__work is-flow" inert={!view.can.edit}>
        <Suspense fallback={<Loading />}>
          <FlowTab view={view} send={edit} />
        </Suspense>
      </div>
    )
  return (
    <>
      {narrow && !previewing ? <PanelTabs panel={panel} onPanel={onPanel} /> : null}
      <div
        className={`jw-design__work${previewing ? ' is-previewing' : ''}`}
        inert={!view.can.edit}
      >
        {!previewing && shows('columns') ? (
          <TableColumns view={view} drag={drag} send={send} edit={edit} onReload={onReload} />
        ) : null}
        {previewing ? (
          <Preview view={view} send={send} />
        ) : shows('fields') ? (
          <FieldsPanel view={view} drag={drag} send={edit} onSelect={select} />
        ) : null}
        {(previewing && narrow) || !shows('config') ? null : (
          <ConfigPanel view={view} send={edit} panel={configRef} />
        )}
        {drag.drag === null ? null : (
          <div
            className="jw-drag"
            aria-hidden
            style={{ left: drag.drag.x + 10, top: drag.drag.y + 8 }}
          >
            {drag.drag.what.label}
          </div>
        )}
      </div>
    </>
  )
}

/** The columns, and what changes the table itself. */
function TableColumns({
  view,
  drag,
  send,
  edit,
  onReload,
}: Pick<Designer, 'view' | 'send'> & {
  readonly drag: ReturnType<typeof useDrop>
  readonly edit: (change: DesignerEdit) => void
  readonly onReload: () => void
}) {
  const { state, onChanged } = useTableState(view, onReload)
  return (
    <ColumnsPanel
      view={view}
      drag={drag}
      archived={state?.archived.map(({ column }) => column) ?? []}
      tools={
        <TableTools
          view={view}
          state={state}
          onChanged={onChanged}
          onGone={() => {
            tellSaved(definitionsSignal)
            send({ type: 'design.leave' })
          }}
        />
      }
      onPick={(columnName) => edit({ type: 'column.add', columnName })}
    />
  )
}

/** Drops on the list of fields: adds a column or a group at the gap, or moves a field there. */
function useDrop({ view: { fields }, send }: Designer) {
  return useFieldDrag((what: Dragged, gap) => {
    const edit = (change: DesignerEdit) => send({ type: 'draft.edit', edit: change })
    if (what.kind === 'group') {
      edit({ type: 'group.add', at: gap })
      return
    }
    if (what.kind === 'column') {
      edit({ type: 'column.add', columnName: what.columnName, at: gap })
      return
    }
    const from = fields.findIndex(({ field }) => field.id === what.id)
    const to = gap > from ? gap - 1 : gap
    if (from >= 0 && to !== from) edit({ type: 'field.move', id: what.id, to })
  })
}

function PanelTabs({
  panel,
  onPanel,
}: {
  readonly panel: Panel
  readonly onPanel: (panel: Panel) => void
}) {
  const { t } = useText()
  return (
    <div className="jw-design__tabs" role="tablist">
      {panels.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          aria-selected={panel === each}
          onClick={() => onPanel(each)}
        >
          {t(`designer.${each}`)}
        </button>
      ))}
    </div>
  )
}

function Dialogs({ designer: { view, send } }: { readonly designer: Designer }) {
  const { t } = useText()
  return (
    <>
      <Ask
        isOpen={view.step === 'leaving'}
        text={t('designer.leave')}
        confirmText={t('designer.leaveYes')}
        onAnswer={(yes) => send({ type: yes ? 'leave.confirm' : 'leave.cancel' })}
      />
      {view.step === 'confirming' ? <ImpactDialog impact={view.impact} send={send} /> : null}
      {view.step === 'stale' && view.stale !== null ? (
        <StaleDesignDialog parts={view.stale} send={send} />
      ) : null}
      {view.json === null ? null : <JsonDialog json={view.json} send={send} />}
    </>
  )
}
