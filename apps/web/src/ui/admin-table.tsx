import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { useText } from '../app/text-context.ts'
import { Empty } from './resource/page-state.tsx'

export interface AdminColumn<Row> {
  readonly key: string
  readonly header: ReactNode
  /** Amounts and counts stand on the right. */
  readonly align?: 'right'
  readonly style?: CSSProperties
  readonly cell: (row: Row) => ReactNode
  /** Full text of a cell that is cut off. */
  readonly title?: (row: Row) => string
}
interface Selection {
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}
interface Props<Row> {
  readonly label?: string
  readonly columns: readonly AdminColumn<Row>[]
  readonly rows: readonly Row[]
  /** The text in place of the table without rows. */
  readonly empty: string
  /** Buttons or a note at the end of each row, under a header that stays in sight. */
  readonly actions?: { readonly header: string; readonly cell: (row: Row) => ReactNode }
  readonly selection?: Selection
}

/**
 * The table of an administration page. Up and Down move the focus between the rows' boxes and
 * buttons.
 */
export function AdminTable<Row extends { readonly id: string }>({
  label,
  columns,
  rows,
  empty,
  actions,
  selection,
}: Props<Row>) {
  const { t } = useText()
  if (rows.length === 0) return <Empty title={empty} />
  return (
    <div className="jw-table-wrap">
      <table className="jw-table" aria-label={label}>
        <thead>
          <tr>
            {selection === undefined ? null : <th aria-label={t('list.selectRow')} />}
            {columns.map(({ key, header, align }) => (
              <th key={key} scope="col" className={alignClass(align)}>
                {header}
              </th>
            ))}
            {actions === undefined ? null : (
              <th scope="col" className="is-fixed is-edge-right jw-stuck">
                {actions.header}
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {rows.map((row) => (
            <tr
              key={row.id}
              className={selection?.ids.includes(row.id) === true ? 'is-selected' : undefined}
            >
              {selection === undefined ? null : <SelectCell id={row.id} selection={selection} />}
              {columns.map(({ key, align, style, cell, title }) => (
                <td key={key} className={alignClass(align)} style={style} title={title?.(row)}>
                  {cell(row)}
                </td>
              ))}
              {actions === undefined ? null : (
                <td className="is-fixed is-edge-right jw-stuck">{actions.cell(row)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function SelectCell({ id, selection }: { readonly id: string; readonly selection: Selection }) {
  const { t } = useText()
  const { ids, onChange } = selection
  const checked = ids.includes(id)
  return (
    <td>
      <input
        type="checkbox"
        aria-label={t('list.selectRow')}
        checked={checked}
        onChange={() => onChange(checked ? ids.filter((each) => each !== id) : [...ids, id])}
      />
    </td>
  )
}

const focusable = 'button:not(:disabled), input[type=checkbox]:not(:disabled)'

function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLElement)) return
  const row = event.target.closest('tr')
  if (row === null || !event.target.matches(focusable)) return
  const at = [...row.querySelectorAll(focusable)].indexOf(event.target)
  const rows = [...event.currentTarget.rows]
  for (let index = rows.indexOf(row) + step; ; index += step) {
    const next = rows[index]
    if (next === undefined) return
    const found = [...next.querySelectorAll<HTMLElement>(focusable)]
    const target = found[Math.min(at, found.length - 1)]
    if (target !== undefined) {
      event.preventDefault()
      target.focus()
      return
    }
  }
}

function alignClass(align: 'right' | undefined): string | undefined {
  return align === 'right' ? 'is-right' : undefined
}
