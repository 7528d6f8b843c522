import { Button, ButtonGroup, HTMLSelect } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { cutText } from '@jiaowu/api/cut-text'
import { schoolDay } from '@jiaowu/api/formats'
import type { SerialSegment } from '@jiaowu/api/entity/definition/definition'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { useText } from '../../../app/text-context.ts'
import { serialExample } from './serial-example.ts'
import { TypedInput } from './typed-input.tsx'
import { useTimeOfMount } from '../../../app/use-time-of-mount.ts'

const types = [1, 2, 3] as const
const lengths = [3, 4, 5, 6, 7, 8, 9] as const // docs/spec/2-student-service-and-designer.md §9
const periods = ['never', 'day', 'month', 'year'] as const

/** Editor of the segments of a serial number, with the first two numbers of today as an example. */
export function SegmentsEditor({
  segments,
  send,
}: {
  readonly segments: readonly SerialSegment[]
  readonly send: (edit: DesignerEdit) => void
}) {
  const { t } = useText()
  const today = schoolDay(useTimeOfMount())
  return (
    <div className="jw-cfg__list" data-path="options.serialNumConfig">
      {segments.map((segment, index) => (
        <div key={`${segment.type}-${index}`} className="jw-cfg__item is-segment">
          <span className="jw-cfg__kind">{t(`designer.serial.segment.${segment.type}`)}</span>
          <Segment
            segment={segment}
            onSet={(next) => send({ type: 'serial.set', index, segment: next })}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Cross size={14} />}
            aria-label={t('designer.remove')}
            title={t('designer.remove')}
            onClick={() => send({ type: 'serial.remove', index })}
          />
        </div>
      ))}
      <ButtonGroup>
        {types.map((type) => (
          <Button
            key={type}
            size="small"
            text={`+ ${t(`designer.serial.segment.${type}`)}`}
            onClick={() => send({ type: 'serial.add', segment: type })}
          />
        ))}
      </ButtonGroup>
      {segments.length === 0 ? null : (
        <p className="jw-cfg__example">
          {t('designer.serial.example', {
            a: serialExample(segments, 1, today),
            b: serialExample(segments, 2, today),
          })}
        </p>
      )}
    </div>
  )
}

function Segment({
  segment,
  onSet,
}: {
  readonly segment: SerialSegment
  readonly onSet: (segment: SerialSegment) => void
}) {
  const { t } = useText()
  switch (segment.type) {
    case 1:
      return (
        <>
          <HTMLSelect
            aria-label={t('designer.serial.length')}
            title={t('designer.serial.length')}
            value={segment.length}
            onChange={(event) => onSet({ ...segment, length: Number(event.currentTarget.value) })}
          >
            {lengths.map((length) => (
              <option key={length} value={length}>
                {length}
              </option>
            ))}
          </HTMLSelect>
          <HTMLSelect
            aria-label={t('designer.serial.period')}
            title={t('designer.serial.period')}
            value={segment.period}
            onChange={(event) =>
              onSet({ ...segment, period: event.currentTarget.value as (typeof periods)[number] })
            }
          >
            {periods.map((period) => (
              <option key={period} value={period}>
                {t(`designer.serial.period.${period}`)}
              </option>
            ))}
          </HTMLSelect>
        </>
      )
    case 2:
      return (
        <HTMLSelect
          aria-label={t('designer.serial.segment.2')}
          value={segment.format}
          onChange={(event) =>
            onSet({ ...segment, format: Number(event.currentTarget.value) as 1 | 2 | 3 })
          }
        >
          {types.map((format) => (
            <option key={format} value={format}>
              {t(`designer.serial.format.${format}`)}
            </option>
          ))}
        </HTMLSelect>
      )
    case 3:
      return (
        <TypedInput
          mono
          label={t('designer.serial.text')}
          value={segment.text}
          onCommit={(text) => {
            if (text !== '') onSet({ ...segment, text: cutText(text, 32) })
          }}
        />
      )
  }
}
