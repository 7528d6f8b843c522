import { Button } from '@blueprintjs/core'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { visible } from '@jiaowu/validation'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { logHidden } from '../../../app/log.ts'
import { EntityTable } from '../../entity-list/table/entity-table.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { QueryForm } from '../../entity-list/query-form.tsx'
import { RowActions } from '../../../ui/table/row-actions.tsx'
import { Empty } from '../../../ui/resource/page-state.tsx'

interface Props {
  readonly config: EntityConfig
  readonly rows: readonly Row[]
}

const nothing = () => {}

/**
 * The list as the console draws it, with sample rows. Searching, sorting and actions do nothing.
 */
export function ListPreview({ config, rows }: Props) {
  const { t } = useText()
  const [queries, setQueries] = useState<Readonly<Record<string, unknown>>>({})
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
        <TablePreview config={config} rows={rows} />
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

function TablePreview({ config, rows }: Props) {
  const [selected, setSelected] = useState<readonly string[]>([])
  const selection = resolveSelection(config)
  const actions = useRowActions(config)
  const toggle = (id: string) =>
    setSelected((now) =>
      now.includes(id)
        ? now.filter((each) => each !== id)
        : selection === 'single'
          ? [id]
          : [...now, id],
    )
  return (
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
  )
}

/** View, edit, the visible buttons of a row, and delete; none of them acts. */
function useRowActions({ buttons }: EntityConfig) {
  const { t } = useText()
  const { user } = useApi()
  const isShown = (button: EntityConfig['buttons'][number], row: Row) =>
    button.position === buttonPositions.row &&
    visible(button.positionExp, { row, user: { ...user }, mode: 'view' }, logHidden(button.code))
  return (row: Row) => [
    ...(['common.view', 'common.edit'] as const).map((key) => ({
      code: key,
      name: t(key),
      run: nothing,
    })),
    ...buttons
      .filter((button) => isShown(button, row))
      .map(({ code, name }) => ({ code, name, run: nothing })),
    { code: 'delete', name: t('common.delete'), danger: true, run: nothing },
  ]
}

function resolveSelection({ options }: EntityConfig): 'none' | 'single' | 'multi' {
  return !options.selection
    ? 'none'
    : options.singleSelect
      ? 'single'
      : options.multiSelect
        ? 'multi'
        : 'none'
}
