import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronUp } from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import {
  conditionLabel,
  nameInRows,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { type CSSProperties, memo, useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { findFieldSurface } from '../../fields/index.tsx'
import { useNarrow } from '../../app/use-narrow.ts'

interface Props {
  readonly config: EntityConfig
  readonly draft: Readonly<Record<string, unknown>>
  /** Loaded rows, which hold the names of the ids that an address filters by. */
  readonly rows: readonly Row[]
  readonly onChange: (attrName: string, value: unknown) => void
  /** Messages of values that the server refused, by attrName. */
  readonly faults?: Readonly<Record<string, string>>
  readonly canAsk: boolean
  readonly onSearch: () => void
  readonly onReset: () => void
}

const noFaults: Readonly<Record<string, string>> = {}

/**
 * The search form: inline, collapsed above 6 fields, automatic label width with 2 or fewer
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function QueryForm({
  config,
  draft,
  rows,
  faults = noFaults,
  canAsk,
  onChange,
  onSearch,
  onReset,
}: Props) {
  const { t } = useText()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  const fields = config.fields.filter((field) => field.isQuery === 1)
  if (fields.length === 0) return null
  const atOnce = narrow ? 1 : limits.collapseQueryAbove
  const collapses = fields.length > atOnce
  // A refused value is shown even where its field is folded away.
  const isHidden = (field: Field, index: number) =>
    collapses && !open && index >= atOnce && faults[field.attrName] === undefined
  const isFolded = narrow && collapses && !open
  const shown = fields.filter((field, index) => !isHidden(field, index))
  return (
    <form
      className={`jw-query${fields.length <= 2 ? ' is-short' : ''}${isFolded ? ' is-folded' : ''}`}
      role="search"
      aria-label={t('list.condition')}
      style={{ '--query-label': `${labelWidth(fields)}px` } as CSSProperties}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
      onReset={(event) => {
        event.preventDefault()
        onReset()
      }}
    >
      {shown.map((field) => (
        <QueryField
          key={field.attrName}
          tag={config.tag}
          field={field}
          draft={draft}
          rows={rows}
          fault={faults[field.attrName]}
          onChange={onChange}
        />
      ))}
      <div className="jw-query__actions">
        {collapses ? (
          <Button
            variant="minimal"
            aria-expanded={open}
            endIcon={open ? <ChevronUp /> : <ChevronDown />}
            text={t(open ? 'list.collapse' : 'list.expand')}
            onClick={() => setOpen(!open)}
          />
        ) : null}
        {isFolded ? null : <Button type="reset" disabled={!canAsk} text={t('common.reset')} />}
        <Button type="submit" disabled={!canAsk} intent="primary" text={t('common.search')} />
      </div>
    </form>
  )
}

/** As wide as the longest label, up to the 150 px of forms (docs/spec/1-entity-console.md §9). */
function labelWidth(fields: readonly Field[]): number {
  return Math.min(
    limits.formLabelWidth,
    Math.max(
      28,
      ...fields.map((field) =>
        [...conditionLabel(field)].reduce(
          (sum, character) => sum + (character > '\u00ff' ? 14 : 8),
          2,
        ),
      ),
    ),
  )
}

type FieldProps = Pick<Props, 'draft' | 'rows' | 'onChange'> & {
  readonly tag: string
  readonly field: Field
  readonly fault: string | undefined
}

/** A typed letter and loaded rows render only the inputs that they change, because pickers take long. */
const QueryField = memo(WholeQueryField, (before, after) => {
  const { field } = after
  const value = after.draft[field.attrName] ?? null
  return (
    before.tag === after.tag &&
    before.field === field &&
    before.fault === after.fault &&
    before.onChange === after.onChange &&
    (before.draft[field.attrName] ?? null) === value &&
    (value === null || before.rows === after.rows) &&
    (before.draft === after.draft || (field.options.cascades ?? []).length === 0)
  )
})

function WholeQueryField({ tag, field, draft, rows, fault, onChange }: FieldProps) {
  const { Query } = findFieldSurface(field.uiType)
  const id = useId()
  return (
    <div className={`jw-query__field${fault === undefined ? '' : ' bp6-intent-danger'}`}>
      <label className="jw-query__label" htmlFor={id} id={`${id}-label`} title={field.uiLabel}>
        {conditionLabel(field)}
      </label>
      <div className="jw-query__control">
        <Query
          tag={tag}
          field={field}
          id={id}
          value={draft[field.attrName] ?? null}
          queries={draft}
          nameOf={(each) => nameInRows(rows, field.attrName, each)}
          onChange={(value) => onChange(field.attrName, value)}
        />
        {fault === undefined ? null : (
          <p className="jw-query__fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  )
}
