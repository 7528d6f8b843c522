import { Button, ButtonGroup } from '@blueprintjs/core'
import { ApiProblem, buttonPositions, type EntityConfig, type Row, schoolTime } from '@jiaowu/api'
import type { DesignerEvent, DesignerView, EntityFormPorts, PreviewKind } from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { useMemo, useState } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { logHidden } from '../../../shell/context/log.ts'
import { EntityForm } from '../../entity-form/entity-form.tsx'
import { EntityTable } from '../../entity-list/table/entity-table.tsx'
import { Pager } from '../../entity-list/table/pager.tsx'
import { QueryForm } from '../../entity-list/query-form.tsx'
import { RowActions } from '../../entity-list/table/row-actions.tsx'
import { Empty } from '../../../ui/page-state.tsx'
import { useKnownItems } from '../use-sources.ts'
import { configOfDraft } from './config-of.ts'
import { sampleRows } from './sample-rows.ts'

const kinds = ['list', 'form', 'details'] as const satisfies readonly PreviewKind[] // docs/spec/2-student-service-and-designer.md §3, preview type
const sampleCount = 8
const nothing = () => {}

/** The draft as people will see it, with the very components of the console; follows every edit. */
export function Preview({
  view,
  send,
}: {
  readonly view: DesignerView
  readonly send: (event: DesignerEvent) => void
}) {
  const { t, locale } = useApp()
  const known = useKnownItems(view.draft)
  const config = useMemo(
    () => configOfDraft(view.draft, locale, known),
    [view.draft, locale, known],
  )
  const rows = useMemo(() => sampleRows(config, sampleCount), [config])
  return (
    <section
      className="jw-design__preview"
      aria-label={t('designer.preview')}
      tabIndex={-1}
      data-part-of-page
    >
      <div className="jw-design__kinds">
        <ButtonGroup>
          {kinds.map((kind) => (
            <Button
              key={kind}
              active={view.view === kind}
              aria-pressed={view.view === kind}
              text={t(`designer.preview.${kind}`)}
              onClick={() => send({ type: 'preview.show', kind })}
            />
          ))}
        </ButtonGroup>
        <small className="jw-muted">{t('designer.preview.note')}</small>
        <span className="jw-toolbar__gap" />
        <Button
          variant="minimal"
          text={t('designer.preview.close')}
          onClick={() => send({ type: 'preview.close' })}
        />
      </div>
      {view.view === 'form' ? (
        <FormPreview config={config} row={null} />
      ) : view.view === 'details' ? (
        <FormPreview config={config} row={rows[0] ?? null} />
      ) : (
        <ListPreview config={config} rows={rows} />
      )}
    </section>
  )
}

function FormPreview({ config, row }: { readonly config: EntityConfig; readonly row: Row | null }) {
  const { t } = useApp()
  const ports = useMemo(
    () => samplePorts(config, row, t('designer.preview.notSaved')),
    [config, row, t],
  )
  const [round, setRound] = useState(0)
  return (
    <EntityForm
      key={`${round}-${JSON.stringify(config)}`}
      asPage
      tag={config.tag}
      id={row?.id ?? null}
      viewOnly={row !== null}
      ports={ports}
      onSaved={nothing}
      onLeft={() => setRound(round + 1)}
    />
  )
}

/** Ports of a form that lives on samples: its rules hold, nothing is saved. */
function samplePorts(config: EntityConfig, row: Row | null, sentence: string): EntityFormPorts {
  return {
    loadForm: () => Promise.resolve({ config, row, now: schoolTime(Date.now()) }),
    saveRow: () =>
      Promise.reject(
        new ApiProblem({
          kind: 'refused',
          code: 422,
          message: sentence,
          issues: [],
          data: null,
          traceId: null,
        }),
      ),
  }
}

/** The list as the console draws it, with rows that are not there. */
function ListPreview({
  config,
  rows,
}: {
  readonly config: EntityConfig
  readonly rows: readonly Row[]
}) {
  const { t, user } = useApp()
  const [queries, setQueries] = useState<Readonly<Record<string, unknown>>>({})
  const [selected, setSelected] = useState<readonly string[]>([])
  const selection = selectionOf(config)
  const toggle = (id: string) =>
    setSelected((now) =>
      now.includes(id)
        ? now.filter((each) => each !== id)
        : selection === 'single'
          ? [id]
          : [...now, id],
    )
  const shownFor = (row: Row, position: number) =>
    config.buttons.filter(
      (button) =>
        button.position === position &&
        visible(
          button.positionExp,
          { row, user: { ...user }, mode: 'view' },
          logHidden(button.code),
        ),
    )
  const actions = (row: Row) => [
    ...['common.view', 'common.edit'].map((key) => ({
      code: key,
      name: t(key as 'common.view'),
      run: nothing,
    })),
    ...shownFor(row, buttonPositions.row).map(({ code, name }) => ({ code, name, run: nothing })),
    { code: 'delete', name: t('common.delete'), danger: true, run: nothing },
  ]
  const toolbar = config.buttons.filter(({ position }) => position === buttonPositions.toolbar)
  return (
    <div className="jw-list">
      <section className="jw-panel">
        <QueryForm
          config={config}
          draft={queries}
          rows={rows}
          canAsk
          onChange={(attrName, value) => setQueries({ ...queries, [attrName]: value })}
          onSearch={nothing}
          onReset={() => setQueries({})}
        />
      </section>
      <section className="jw-panel">
        <div className="jw-toolbar">
          <Button intent="primary" text={t('common.add')} />
          {toolbar.map(({ code, name }) => (
            <Button key={code} text={name} />
          ))}
        </div>
        <EntityTable
          config={config}
          rows={rows}
          sorts={config.options.sorts}
          selected={selection === 'none' ? [] : selected}
          selection={selection}
          busy={false}
          canSort={false}
          canToggle
          skeletons={0}
          empty={<Empty />}
          operation={
            config.options.operColumnShow ? (row) => <RowActions actions={actions(row)} /> : null
          }
          onSort={nothing}
          onToggle={toggle}
          onToggleAll={() =>
            setSelected(selected.length === rows.length ? [] : rows.map(({ id }) => id))
          }
        />
        <Pager
          total={rows.length}
          isEstimate={false}
          pageNum={1}
          pageSize={20}
          canAsk={false}
          onGo={nothing}
          onResize={nothing}
        />
      </section>
    </div>
  )
}

function selectionOf({ options }: EntityConfig): 'none' | 'single' | 'multi' {
  return !options.selection
    ? 'none'
    : options.singleSelect
      ? 'single'
      : options.multiSelect
        ? 'multi'
        : 'none'
}
