import { Button } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import {
  applyFlowChange,
  type FlowChange,
  findFreeStateKey,
} from '@jiaowu/machines/designer/flow/changes'
import { toName } from '@jiaowu/machines/designer/flow/start'
import { listEvents } from '@jiaowu/machines/designer/flow/states'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { Suspense, useMemo, useState } from 'react'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useNarrow } from '../../../app/use-narrow.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/resource/page-state.tsx'
import { AddEvent } from './add-event.tsx'
import { FlowFindings } from './flow-findings.tsx'
import { FlowStart } from './flow-start.tsx'
import { FlowTable } from './flow-table.tsx'
import { FlowTrial } from './flow-trial.tsx'
import { MoveCasesDialog } from './move-cases-dialog.tsx'
import { PlaceEditor } from './place-editor.tsx'
import {
  chooseName,
  findEvent,
  findPlace,
  type FlowPlace,
  hasPlace,
  nameStatePath,
} from './places.ts'
import { useFlowFindings } from './use-findings.ts'
import { type FlowSources, useFlowSources } from './use-flow-sources.ts'

const FlowChart = lazyPart(() => import('./flow-chart.tsx').then((module) => module.FlowChart))

interface Props {
  readonly view: DesignerView
  readonly send: (edit: DesignerEdit) => void
}

/** The flow of the definition: how people decide on its rows (docs/rules/contract.md#flows). */
export function FlowTab({ view, send }: Props) {
  const { t } = useText()
  const sources = useFlowSources(view.draft)
  const { flow } = view.draft.options
  return (
    <section
      className="jw-design__flow"
      aria-label={t('designer.view.flow')}
      tabIndex={-1}
      data-part-of-page
    >
      {flow === undefined ? (
        <FlowStart draft={view.draft} sources={sources} send={send} />
      ) : (
        <FlowWork view={view} flow={flow} sources={sources} send={send} />
      )}
    </section>
  )
}

function FlowWork({
  view,
  flow,
  sources,
  send,
}: Props & { readonly flow: Flow; readonly sources: FlowSources }) {
  const [chosen, setPlace] = useState<FlowPlace | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const narrow = useNarrow()
  const [hasChart, setHasChart] = useState(!narrow)
  const findings = useFlowFindings(view.draft, view.findings)
  const finding = findings.find(({ key }) => key === shown)
  const [played, setPlayed] = useState<readonly string[]>([])
  const [isTrying, setTrying] = useState(false)
  const lit = useMemo(() => new Set(finding?.states), [finding])
  const here = useMemo(() => new Set(played), [played])
  // An undone or removed place is gone.
  const place = chosen !== null && hasPlace(flow, chosen) ? chosen : null
  const change = useChange({ view, send, place, onPlace: setPlace })
  return (
    <>
      <div className="jw-dpanel jw-flow-work">
        <WorkHead
          flow={flow}
          sources={sources}
          isFlowChosen={place === null}
          hasChart={hasChart}
          isTrying={isTrying}
          tag={view.isNew || view.unsaved ? null : view.draft.tag}
          change={change}
          onFlow={() => setPlace(null)}
          onChart={setHasChart}
          onTrial={setTrying}
        />
        {hasChart ? (
          <Suspense fallback={<Loading />}>
            <FlowChart
              flow={flow}
              sources={sources}
              selected={place}
              lit={lit}
              here={here}
              change={change}
              onSelect={setPlace}
            />
          </Suspense>
        ) : null}
        <div className="jw-dpanel__scroll">
          <FlowTable
            flow={flow}
            sources={sources}
            selected={place}
            lit={lit}
            here={here}
            onSelect={setPlace}
            onAddEvent={(path, key, event) => change({ type: 'event.add', path, key, event })}
          />
        </div>
      </div>
      <div className="jw-flow-side">
        <FlowFindings
          findings={findings}
          shown={shown}
          onShow={(next) => {
            setShown(next.key === shown ? null : next.key)
            const to = findPlace(next.at)
            setPlace(to.path === '' && to.key === undefined ? null : to)
          }}
        />
        {isTrying ? (
          <TrialPanel flow={flow} sources={sources} onMove={setPlayed} />
        ) : (
          <EditorPanel flow={flow} sources={sources} place={place} change={change} />
        )}
      </div>
    </>
  )
}

function TrialPanel({
  flow,
  sources,
  onMove,
}: {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly onMove: (active: readonly string[]) => void
}) {
  const { t } = useText()
  return (
    <section className="jw-dpanel jw-flow-editor" aria-label={t('designer.flow.trial')}>
      <header>
        <h3>{t('designer.flow.trial')}</h3>
      </header>
      <div className="jw-dpanel__scroll">
        <FlowTrial flow={flow} sources={sources} onMove={onMove} />
      </div>
    </section>
  )
}

/** Chooses what stands beside the table, and adds states and events. */
function WorkHead({
  flow,
  sources,
  isFlowChosen,
  hasChart,
  isTrying,
  tag,
  change,
  onFlow,
  onChart,
  onTrial,
}: {
  readonly flow: Flow
  readonly sources: FlowSources
  /** Whether the flow itself is in the editor. */
  readonly isFlowChosen: boolean
  readonly hasChart: boolean
  readonly isTrying: boolean
  /** Null while the flow shown is not the saved one. */
  readonly tag: string | null
  readonly change: (change: FlowChange) => void
  readonly onFlow: () => void
  readonly onChart: (isShown: boolean) => void
  readonly onTrial: (isShown: boolean) => void
}) {
  const { t } = useText()
  return (
    <header>
      <h3>{t('designer.flow.table')}</h3>
      <span className="jw-toolbar__gap" />
      <Button
        size="small"
        active={hasChart}
        aria-pressed={hasChart}
        text={t('designer.flow.chart')}
        onClick={() => onChart(!hasChart)}
      />
      {hasChart ? (
        <Button
          size="small"
          text={t('designer.flow.chart.arrange')}
          onClick={() => change({ type: 'arrange' })}
        />
      ) : null}
      <Button
        size="small"
        active={isTrying}
        aria-pressed={isTrying}
        text={t('designer.flow.trial')}
        onClick={() => onTrial(!isTrying)}
      />
      <OpenCases tag={tag} flow={flow} />
      <Button
        size="small"
        active={isFlowChosen}
        aria-pressed={isFlowChosen}
        text={t('designer.flow.flow')}
        onClick={onFlow}
      />
      <AddState flow={flow} change={change} />
      <AddEvent
        flow={flow}
        path=""
        name={t('designer.flow.everywhere')}
        sources={sources}
        onAdd={(path, key, event) => change({ type: 'event.add', path, key, event })}
      />
    </header>
  )
}

function OpenCases({ tag, flow }: { readonly tag: string | null; readonly flow: Flow }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        disabled={tag === null}
        title={t(tag === null ? 'designer.move.unsaved' : 'designer.move.hint')}
        text={t('designer.move.open')}
        onClick={() => setOpen(true)}
      />
      {isOpen && tag !== null ? (
        <MoveCasesDialog tag={tag} flow={flow} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

function AddState({
  flow,
  change,
}: {
  readonly flow: Flow
  readonly change: (change: FlowChange) => void
}) {
  const { t } = useText()
  return (
    <Button
      size="small"
      icon={<Add />}
      text={t('designer.flow.state.add')}
      onClick={() =>
        change({
          type: 'state.add',
          within: '',
          name: toName('design.flow.state', { n: Object.keys(flow.states).length + 1 }),
        })
      }
    />
  )
}

function EditorPanel({
  flow,
  sources,
  place,
  change,
}: {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly place: FlowPlace | null
  readonly change: (change: FlowChange) => void
}) {
  const { t, locale } = useText()
  const event = place?.key === undefined ? undefined : findEvent(flow, place)
  const state =
    place === null || place.path === ''
      ? t('designer.flow.everywhere')
      : nameStatePath(flow, place.path, locale)
  const title =
    place === null
      ? t('designer.flow.flow')
      : event === undefined
        ? t('designer.flow.editState', { name: state })
        : t('designer.flow.editEvent', { state, name: chooseName(locale, event.name) })
  return (
    <section className="jw-dpanel jw-flow-editor" aria-label={t('designer.flow.edit')}>
      <header>
        <h3>{title}</h3>
      </header>
      <div
        className="jw-dpanel__scroll jw-cfg"
        key={place === null ? '' : `${place.path} ${place.key ?? ''} ${String(place.no ?? '')}`}
      >
        <PlaceEditor flow={flow} sources={sources} place={place} change={change} />
      </div>
    </section>
  )
}

/** Sends a change, selects what it adds or renames, and says where it cannot be made. */
function useChange({
  view: { draft },
  send,
  place,
  onPlace,
}: Props & {
  readonly place: FlowPlace | null
  readonly onPlace: (place: FlowPlace | null) => void
}): (change: FlowChange) => void {
  const { t } = useText()
  const { toast } = useNotice()
  return (change) => {
    const { flow } = applyFlowChange(draft, change).options
    const before = draft.options.flow
    if (flow === before && (change.type === 'state.rename' || change.type === 'event.rename')) {
      toast('warning', t('designer.flow.keyRefused'))
      return
    }
    send({ type: 'flow.edit', change })
    if (flow !== undefined && before !== undefined)
      onPlace(followChange(before, flow, change, place))
  }
}

/** The selected place after a change. */
function followChange(
  before: Flow,
  after: Flow,
  change: FlowChange,
  place: FlowPlace | null,
): FlowPlace | null {
  switch (change.type) {
    case 'state.add': {
      const key = findFreeStateKey(before, change.within)
      return { path: change.within === '' ? key : `${change.within}.${key}` }
    }
    case 'event.add': {
      const known = new Set(listEvents(before, change.path).map(({ key }) => key))
      const added = listEvents(after, change.path).find(({ key }) => !known.has(key))
      return added === undefined ? place : { path: change.path, key: added.key, no: 0 }
    }
    case 'event.copy':
      return { path: change.path, key: change.key, no: change.no + 1 }
    case 'state.rename':
      return { path: [...change.path.split('.').slice(0, -1), change.key].join('.') }
    case 'event.rename':
      return place?.key === undefined ? place : { ...place, key: change.to }
    case 'event.remove':
      return change.path === '' ? null : { path: change.path }
    default:
      return place
  }
}
