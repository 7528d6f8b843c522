import { HTMLSelect, Tag } from '@blueprintjs/core'
import { type EmptyMeaning, emptyMeanings } from '@jiaowu/api/contract/job'
import type { ColumnView, ReviewView } from '@jiaowu/machines/transfer/view'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly review: ReviewView
  readonly mayChange: boolean
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}

/**
 * Which column fills which field: the guess of the server, with sample values; the user can change
 * it.
 */
export function MappingTable(props: Props) {
  const { t } = useText()
  return (
    <div className="jw-tr__scroll">
      <table className="jw-tr__table jw-tr__mapping">
        <thead>
          <tr>
            <th scope="col">{t('import.col.column')}</th>
            <th scope="col">{t('import.col.header')}</th>
            <th scope="col">{t('import.col.samples')}</th>
            <th scope="col">{t('import.col.field')}</th>
            {props.mayChange ? <th scope="col">{t('import.empty')}</th> : null}
            <th scope="col" aria-hidden />
          </tr>
        </thead>
        <tbody>
          {props.review.columns.map((column) => (
            <Row key={column.column} {...props} column={column} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  column,
  review,
  mayChange,
  disabled,
  send,
}: Props & { readonly column: ColumnView }) {
  const { t } = useText()
  const { attrName, empty, header, letter } = column
  const fields = review.fields.map((field) => ({
    value: field.attrName,
    label: field.required ? t('import.required', { label: field.label }) : field.label,
  }))
  const assign = (change: { readonly attrName?: string | null; readonly empty?: EmptyMeaning }) =>
    send({
      type: 'column.assign',
      assignment: { column: column.column, attrName, empty, ...change },
    })
  const by = column.changed
    ? 'changed'
    : column.by === null || column.by === 'own'
      ? 'none'
      : column.by
  return (
    <tr className={attrName === null ? 'is-left-out' : ''}>
      <td className="jw-tr__letter">{letter}</td>
      <th scope="row">
        <span className="jw-tr__name" title={header}>
          {header === '' ? '—' : header}
        </span>
      </th>
      <td className="jw-tr__samples">
        {column.samples
          .filter((sample) => sample !== '')
          .slice(0, 3)
          .join('、')}
      </td>
      <td>
        <HTMLSelect
          fill
          disabled={disabled}
          aria-label={`${t('import.col.field')} ${header === '' ? letter : header}`}
          value={attrName ?? ''}
          options={[{ value: '', label: t('import.skipColumn') }, ...fields]}
          onChange={(event) =>
            assign({ attrName: event.target.value === '' ? null : event.target.value })
          }
        />
      </td>
      {mayChange ? (
        <td>
          <HTMLSelect
            fill
            disabled={disabled || attrName === null}
            aria-label={`${t('import.empty')} ${header === '' ? letter : header}`}
            value={empty}
            options={emptyMeanings.map((value) => ({ value, label: t(`import.empty.${value}`) }))}
            onChange={(event) => assign({ empty: event.target.value as EmptyMeaning })}
          />
        </td>
      ) : null}
      <td>
        <Tag
          minimal
          intent={
            by === 'changed'
              ? 'primary'
              : by === 'none'
                ? 'warning'
                : by === 'similar' || by === 'values'
                  ? 'none'
                  : 'success'
          }
        >
          {t(`import.by.${by}`)}
        </Tag>
      </td>
    </tr>
  )
}
