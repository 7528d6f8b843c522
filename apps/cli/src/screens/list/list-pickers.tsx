import { type ExportFormat, exportFormats } from '@jiaowu/api/contract/entity/entity-data'
import { type GroupQuery, groupUnits } from '@jiaowu/api/entity/list/list-query'
import type { SavedView } from '@jiaowu/api/entity/list/view'
import { queryFields, sortFields } from '@jiaowu/api/entity/list/time-fields'
import type { Field } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import { problemText, toProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import {
  conditionLabel,
  shownConditions,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { canGroup, figuresFor, hasUnits } from '@jiaowu/machines/entity-list/figures'
import { rowActions, toolbarButtons } from '@jiaowu/machines/entity-list/rights'
import { useEffect, useState } from 'react'
import { Picker } from '../picker.tsx'
import { Fault, Text } from '../ui.tsx'
import { sortMark } from './list-items.ts'
import type { ListPartProps } from './list-props.ts'

/** A choice of one thing, after which the rows stand there again unless another part opens. */
function Choose<T>({
  title,
  choices,
  current,
  onPick,
  open,
}: Pick<ListPartProps, 'open'> & {
  readonly title: string
  readonly choices: readonly {
    readonly value: T
    readonly label: string
    readonly hint?: string
  }[]
  readonly current: T
  readonly onPick: (value: T) => void
}) {
  return (
    <Picker
      title={title}
      choices={choices}
      current={current}
      onPick={(value) => {
        open(null)
        onPick(value)
      }}
      onClose={() => open(null)}
    />
  )
}

export function FilterPicker({ view, config, locale, open }: ListPartProps) {
  const applied = shownConditions(config, view.applied, view.rows, locale)
  return (
    <Choose<Field | null>
      title={t(locale, 'filter.field')}
      choices={queryFields(config, locale).map((field) => {
        const hint = applied.find(({ attrName }) => attrName === field.attrName)?.text
        return {
          value: field,
          label: conditionLabel(field),
          ...(hint === undefined ? {} : { hint }),
        }
      })}
      current={null}
      onPick={(field) => {
        if (field !== null) open({ part: 'value', field })
      }}
      open={open}
    />
  )
}

export function SortPicker(props: ListPartProps) {
  return <ChooseSort {...props} multi={false} />
}

/** A column that orders the rows which those before it leave equal. */
export function FurtherSortPicker(props: ListPartProps) {
  return <ChooseSort {...props} multi />
}

function ChooseSort({
  view,
  config,
  locale,
  send,
  open,
  multi,
}: ListPartProps & { readonly multi: boolean }) {
  return (
    <Choose
      title={t(locale, multi ? 'cli.list.sortMore' : 'list.sort')}
      choices={sortFields(config, locale).map(({ attrName, uiLabel }) => {
        const mark = sortMark(view.sorts, attrName)
        return { value: attrName, label: uiLabel, ...(mark === '' ? {} : { hint: mark }) }
      })}
      current={multi ? '' : (view.sorts[0]?.column ?? '')}
      onPick={(column) => send({ type: 'sort.cycle', column, ...(multi ? { multi } : {}) })}
      open={open}
    />
  )
}

/** Fields to group by; dates by day, month or year. */
export function GroupPicker({ view, config, locale, send, open }: ListPartProps) {
  const choices: readonly GroupQuery[] = config.fields
    .filter(canGroup)
    .flatMap((field) =>
      hasUnits(field)
        ? groupUnits.map((by) => ({ column: field.attrName, by }))
        : [{ column: field.attrName }],
    )
  const labels = new Map(config.fields.map(({ attrName, uiLabel }) => [attrName, uiLabel]))
  return (
    <Choose<GroupQuery | null>
      title={t(locale, 'group.by')}
      choices={[
        { value: null, label: t(locale, 'group.none') },
        ...choices.map((group) => ({
          value: group,
          label: labels.get(group.column) ?? '',
          ...(group.by === undefined ? {} : { hint: t(locale, `group.${group.by}`) }),
        })),
      ]}
      current={
        choices.find(
          ({ column, by }) =>
            column === view.group?.column && (by === undefined || by === (view.group.by ?? 'day')),
        ) ?? null
      }
      onPick={(group) => send({ type: 'group.set', group })}
      open={open}
    />
  )
}

export function FigureFieldPicker({ view, config, locale, open }: ListPartProps) {
  return (
    <Choose<Field | null>
      title={t(locale, 'figure.menu')}
      choices={config.fields
        .filter((field) => figuresFor(field).length > 0)
        .map((field) => {
          const now = view.footer.find(({ column }) => column === field.attrName)
          return {
            value: field,
            label: field.uiLabel,
            ...(now === undefined ? {} : { hint: t(locale, `figure.${now.fn}`) }),
          }
        })}
      current={null}
      onPick={(field) => {
        if (field !== null) open({ part: 'figure', field })
      }}
      open={open}
    />
  )
}

export function FigurePicker({
  field,
  view,
  locale,
  send,
  open,
}: ListPartProps & { readonly field: Field }) {
  const { attrName, uiLabel } = field
  return (
    <Choose
      title={`${t(locale, 'figure.menu')} · ${uiLabel}`}
      choices={[
        { value: null, label: t(locale, 'figure.none') },
        ...figuresFor(field).map((fn) => ({ value: fn, label: t(locale, `figure.${fn}`) })),
      ]}
      current={view.footer.find(({ column }) => column === attrName)?.fn ?? null}
      onPick={(fn) => send({ type: 'footer.set', column: attrName, fn })}
      open={open}
    />
  )
}

export function SizePicker({ view, locale, send, open }: ListPartProps) {
  return (
    <Choose<number>
      title={t(locale, 'cli.list.size')}
      choices={limits.pageSizes.map((size) => ({
        value: size,
        label: t(locale, 'pager.size', { size }),
      }))}
      current={view.pageSize}
      onPick={(pageSize) => send({ type: 'page.resize', pageSize })}
      open={open}
    />
  )
}

/** Formats of an export: of the chosen rows where some are chosen. */
export function ExportPicker({ view, config, locale, send, shownColumns, open }: ListPartProps) {
  const columns = config.fields
    .filter(({ attrName, isExport }) => isExport === 1 && shownColumns.includes(attrName))
    .map(({ attrName }) => attrName)
  const isOfChosen = view.chosen > 0
  return (
    <Choose<ExportFormat>
      title={t(locale, isOfChosen ? 'chosen.export' : 'list.export')}
      choices={exportFormats.map((format) => ({
        value: format,
        label: t(locale, `export.${format}`),
      }))}
      current="xlsx"
      onPick={(format) =>
        send({
          type: 'export.start',
          format,
          ...(columns.length === 0 ? {} : { columns }),
          ...(isOfChosen ? { chosen: true } : {}),
        })
      }
      open={open}
    />
  )
}

export function ButtonPicker({ config, user, locale, send, open }: ListPartProps) {
  return (
    <Choose
      title={t(locale, 'cli.list.buttons')}
      choices={toolbarButtons(config, user, () => {}).map(({ code, name }) => ({
        value: code,
        label: name,
      }))}
      current=""
      onPick={(code) => send({ type: 'button.press', code, row: null })}
      open={open}
    />
  )
}

/** Offers the actions of a row that the terminal has; each other one is a command of its own. */
export function ActionPicker({
  row,
  view,
  user,
  locale,
  send,
  open,
  onForm,
}: ListPartProps & { readonly row: Row }) {
  const names = {
    view: t(locale, 'common.view'),
    edit: t(locale, 'common.edit'),
    delete: t(locale, 'common.delete'),
  }
  const actions = rowActions(view, row, user, () => {}).filter(
    ({ kind, enabled }) => enabled && kind !== 'copy' && kind !== 'history',
  )
  return (
    <Choose
      title={t(locale, 'list.operation')}
      choices={actions.map(({ kind, code, name }) => ({
        value: code,
        label: name ?? names[kind as keyof typeof names],
      }))}
      current=""
      onPick={(code) => {
        const kind = actions.find((each) => each.code === code)?.kind
        if (kind === 'view') open({ part: 'record', row })
        else if (kind === 'edit') onForm(row.id)
        else if (kind === 'delete') send({ type: 'delete.ask', id: row.id })
        else send({ type: 'button.press', code, row })
      }}
      open={open}
    />
  )
}

/** Saved views, but for tables of groups, which `entity list --view` prints. */
export function ViewPicker({ view, locale, send, setColumns, loadViews, open }: ListPartProps) {
  const [views, setViews] = useState<readonly SavedView[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    loadViews(stop.signal).then(setViews, (error: unknown) => {
      if (!stop.signal.aborted) setFault(problemText(locale, toProblem(error)))
    })
    return () => stop.abort()
  }, [loadViews, locale])
  if (fault !== null) return <Fault>{fault}</Fault>
  if (views === null) return <Text dimColor>{t(locale, 'common.loading')}</Text>
  const plain = { queries: {}, sorts: [], pageSize: view.pageSize }
  return (
    <Choose<SavedView | null>
      title={t(locale, 'cli.list.views')}
      choices={[
        { value: null, label: t(locale, 'view.plain') },
        ...views
          .filter(({ group }) => group?.table === undefined)
          .map((each) => ({ value: each, label: each.name })),
      ]}
      current={null}
      onPick={(saved) => {
        setColumns(saved?.columns ?? null)
        if (saved === null) send({ type: 'view.apply', ...plain })
        else {
          const { queries, where, sorts, pageSize, group, footer, frozen } = saved
          send({ type: 'view.apply', queries, where, sorts, pageSize, group, footer, frozen })
        }
      }}
      open={open}
    />
  )
}
