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
  const assign = (change: { readonly attrName?: string | null; readonly empty?: EmptyMeaning }) =>
    send({
      type: 'column.assign',
      assignment: {
        column: column.column,
        attrName,
        empty,
        ...(column.joined !== null && { joined: column.joined }),
        ...change,
      },
    })
  const by = column.changed
    ? 'changed'
    : column.by === null || column.by === 'own'
      ? 'none'
      : column.by
  return (
    <tr className={attrName === null && column.joinedTo === null ? 'is-left-out' : ''}>
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
        <FieldSelect
          column={column}
          review={review}
          disabled={disabled}
          send={send}
          assign={assign}
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

/** The field of a column, or the column that it follows. */
function FieldSelect({
  column,
  review,
  disabled,
  send,
  assign,
}: Pick<Props, 'review' | 'disabled' | 'send'> & {
  readonly column: ColumnView
  readonly assign: (change: { readonly attrName: string | null }) => void
}) {
  const { t } = useText()
  const { attrName, header, letter } = column
  const fields = review.fields.map((field) => ({
    value: field.attrName,
    label: field.required ? t('import.required', { label: field.label }) : field.label,
  }))
  // The text of this column can follow that of another one: 学年 and 学期.
  const others = review.columns.filter((each) => each.attrName !== null && each !== column)
  const joins = others.map((each) => ({
    value: `+${each.column}`,
    label: t('import.joinTo', { column: each.header === '' ? each.letter : each.header }),
  }))
  const choose = (value: string) => {
    const first = others.find((each) => `+${each.column}` === value)
    if (first === undefined) assign({ attrName: value === '' ? null : value })
    else
      send({
        type: 'column.assign',
        assignment: {
          column: first.column,
          attrName: first.attrName,
          empty: first.empty,
          joined: column.column,
        },
      })
  }
  return (
    <HTMLSelect
      fill
      disabled={disabled}
      aria-label={`${t('import.col.field')} ${header === '' ? letter : header}`}
      value={column.joinedTo === null ? (attrName ?? '') : `+${column.joinedTo}`}
      options={[{ value: '', label: t('import.skipColumn') }, ...fields, ...joins]}
      onChange={(event) => choose(event.target.value)}
    />
  )
}
