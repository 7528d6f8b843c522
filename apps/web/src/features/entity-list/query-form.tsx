import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronUp } from '@blueprintjs/icons'
import {
  type DictItem,
  type EntityConfig,
  type Field,
  limits,
  operatorOf,
  type Row,
} from '@jiaowu/api'
import { type CSSProperties, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { surfaceOf } from '../../fields/index.tsx'
import { useNarrow } from '../../shell/use-narrow.ts'

interface Props {
  readonly config: EntityConfig
  readonly draft: Readonly<Record<string, unknown>>
  /** Loaded rows, which hold the names of the ids that an address filters by. */
  readonly rows: readonly Row[]
  readonly onChange: (attrName: string, value: unknown) => void
  readonly canAsk: boolean
  readonly onSearch: () => void
  readonly onReset: () => void
}

const signs: Readonly<Partial<Record<ReturnType<typeof operatorOf>, string>>> = {
  notEqual: '≠',
  gt: '>',
  ge: '≥',
  lt: '<',
  le: '≤',
}

/**
 * The search form: inline, collapsed above 6 fields, automatic label width with 2 or fewer
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function QueryForm({ config, draft, rows, canAsk, onChange, onSearch, onReset }: Props) {
  const { t } = useApp()
  const narrow = useNarrow()
  const [open, setOpen] = useState(false)
  const fields = config.fields.filter((field) => field.isQuery === 1)
  if (fields.length === 0) return null
  const atOnce = narrow ? 2 : limits.collapseQueryAbove
  const collapses = fields.length > atOnce
  const shown = collapses && !open ? fields.slice(0, atOnce) : fields
  return (
    <form
      className={`jw-query${fields.length <= 2 ? ' is-short' : ''}`}
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
      {shown.map((field) => {
        const { Query } = surfaceOf(field.uiType)
        const id = `query-${config.tag}-${field.attrName}`
        return (
          <div key={field.attrName} className="jw-query__field">
            <label
              className="jw-query__label"
              htmlFor={id}
              id={`${id}-label`}
              title={field.uiLabel}
            >
              {labelOf(field)}
            </label>
            <div className="jw-query__control">
              <Query
                tag={config.tag}
                field={field}
                id={id}
                value={draft[field.attrName] ?? null}
                queries={draft}
                nameOf={nameIn(rows, field.attrName)}
                onChange={(value) => onChange(field.attrName, value)}
              />
            </div>
          </div>
        )
      })}
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
        <Button type="reset" disabled={!canAsk} text={t('common.reset')} />
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
        [...labelOf(field)].reduce((sum, character) => sum + (character > '\u00ff' ? 14 : 8), 2),
      ),
    ),
  )
}

function labelOf({ uiLabel, queryType }: Field): string {
  return [uiLabel, signs[operatorOf(queryType)]].filter((part) => part !== undefined).join(' ')
}

function nameIn(rows: readonly Row[], attrName: string) {
  return (id: string): string | undefined => {
    for (const row of rows) {
      const value = row[attrName]
      const item = Array.isArray(value)
        ? (value as readonly DictItem[]).find((each) => each.id === id)
        : undefined
      if (item !== undefined) return item.name
    }
    return undefined
  }
}
