import { HTMLSelect } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import { periods } from '@jiaowu/api/entity/list/periods'
import type { Row } from '@jiaowu/api/entity/values'
import type { WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { hasTerms } from '@jiaowu/machines/entity-list/conditions/where-draft'
import { nameInRows } from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { findFieldSurface } from '../../../fields/index.tsx'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly id: string
  readonly tag: string
  readonly field: Field
  readonly leaf: WhereLeaf
  readonly rows: readonly Row[]
  readonly onChange: (value: unknown) => void
}

/** The value of a condition: the field's own control, or a period. Nothing for operators without one. */
export function LeafValue({ id, tag, field, leaf: { op, value = null }, rows, onChange }: Props) {
  const { t } = useText()
  if (op === 'isEmpty' || op === 'notEmpty') return null
  if (op === 'during')
    return (
      <HTMLSelect
        aria-label={t('filter.value')}
        value={typeof value === 'string' ? value : ''}
        options={[
          { value: '', label: t('common.select') },
          ...(hasTerms(field) ? (['term'] as const) : periods).map((period) => ({
            value: period,
            label: t(`period.${period}`),
          })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  const { Query } = findFieldSurface(field.uiType)
  return (
    <>
      <span className="jw-only-read" id={`${id}-label`}>
        {field.uiLabel}
      </span>
      <Query
        tag={tag}
        field={{ ...field, queryType: op }}
        id={id}
        value={value}
        queries={{}}
        nameOf={(each) => nameInRows(rows, field.attrName, each)}
        onChange={onChange}
      />
    </>
  )
}
