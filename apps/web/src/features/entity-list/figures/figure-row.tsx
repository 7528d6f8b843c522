import type { FooterQuery, FooterValue } from '@jiaowu/api/entity/list/list-query'
import { figureText } from '@jiaowu/machines/entity-list/figures'
import { useText } from '../../../app/text-context.ts'
import { type Column, columnClass, columnStyle } from '../../../ui/table/columns.ts'

interface Props {
  readonly columns: readonly Column[]
  readonly footer: readonly FooterQuery[]
  /** Loaded figures; those that are missing are under way. */
  readonly figures: readonly FooterValue[]
  readonly hasSelection: boolean
  readonly hasOperation: boolean
}

/** Figures over all rows that match, below their columns. */
export function FigureRow({ columns, footer, figures, hasSelection, hasOperation }: Props) {
  const { t, locale } = useText()
  if (footer.length === 0) return null
  return (
    <tfoot aria-label={t('figure.row')} title={t('figure.row')}>
      <tr>
        {hasSelection ? <td className="jw-select-col is-fixed" style={{ left: 0 }} /> : null}
        {columns.map((column, index) => {
          const { field } = column
          const asked = footer.find((each) => each.column === field.attrName)
          const found = figures.find(
            (each) => each.column === field.attrName && each.fn === asked?.fn,
          )
          return (
            <td
              key={field.attrName}
              className={columnClass(column, index)}
              style={columnStyle(column)}
            >
              {asked === undefined ? null : (
                <span className="jw-figure">
                  <span className="jw-muted">{t(`figure.${asked.fn}`)}</span>{' '}
                  {found === undefined ? '…' : figureText(found, field, locale)}
                </span>
              )}
            </td>
          )
        })}
        {hasOperation ? <td className="is-fixed is-edge-right" style={{ right: 0 }} /> : null}
      </tr>
    </tfoot>
  )
}
