import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { hasTones } from '@jiaowu/machines/entity-list/card'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import type { ShownRecord } from './shown-record.ts'

/** The neighbours of a record in the list that it was opened from. */
export interface RecordSteps {
  /** Where it is on the page, from 1, and how many are there. */
  readonly at: number
  readonly of: number
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

const mostStates = 3

/** The picture or initials of a record, its name, its states, and its neighbours. */
export function RecordHead({
  record: { config, row, name },
  steps,
}: {
  readonly record: ShownRecord
  readonly steps: RecordSteps | null
}) {
  const { t } = useText()
  const title = name ?? config.name
  const [initial = ''] = title
  const photo = config.fields.find(
    (field) => findKind(field.uiType).family === 'media' && !isEmpty(row[field.attrName] ?? null),
  )
  const cell = (field: Field) => {
    const { Cell } = findFieldSurface(field.uiType)
    return (
      <Cell
        key={field.attrName}
        tag={config.tag}
        field={field}
        value={row[field.attrName] ?? null}
        row={row}
      />
    )
  }
  return (
    <header className="jw-record__head">
      <span className="jw-record__photo" aria-hidden={photo === undefined}>
        {photo === undefined ? initial : cell(photo)}
      </span>
      <div className="jw-record__names">
        <small>{config.name}</small>
        <h2>{title}</h2>
      </div>
      <div className="jw-record__states">
        {config.fields
          .filter((field) => isState(field) && !isEmpty(row[field.attrName] ?? null))
          .slice(0, mostStates)
          .map(cell)}
      </div>
      {steps === null ? null : (
        <div className="jw-record__steps">
          <Button
            variant="minimal"
            icon={<ChevronLeft />}
            aria-label={t('record.previous')}
            title={t('record.previous')}
            disabled={steps.onPrevious === null}
            onClick={() => steps.onPrevious?.()}
          />
          <span>
            {steps.at} / {steps.of}
          </span>
          <Button
            variant="minimal"
            icon={<ChevronRight />}
            aria-label={t('record.next')}
            title={t('record.next')}
            disabled={steps.onNext === null}
            onClick={() => steps.onNext?.()}
          />
        </div>
      )}
    </header>
  )
}

function isState(field: Field): boolean {
  const isShown = field.isDetail === 1 || field.isList === 1
  return isShown && (field.owner !== undefined || hasTones(field))
}
