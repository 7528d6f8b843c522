import { HTMLSelect, Tag } from '@blueprintjs/core'
import type { Row } from '@jiaowu/api/entity/values'
import { texts } from '@jiaowu/api/texts/index'
import { compileExpression, ExpressionError } from '@jiaowu/validation'
import { useEffect, useId, useState } from 'react'
import { useApi } from '../../../../app/api-context.ts'
import { useText } from '../../../../app/text-context.ts'
import { TypedInput } from '../typed-input.tsx'

const modes = ['view', 'add', 'edit'] as const
type Trial =
  | { readonly ok: true; readonly shown: boolean }
  | {
      readonly ok: false
      readonly at: number | null
      readonly reason: ExpressionError['reason']
      readonly token: string
    }

/**
 * Evaluates a condition for one row. `at`: position of a syntax error; null for an error of
 * evaluation.
 */
function tryExpression(
  source: string,
  row: Row,
  user: Readonly<Record<string, unknown>>,
  mode: string,
): Trial {
  let parsed
  try {
    parsed = compileExpression(source)
  } catch (error) {
    if (error instanceof ExpressionError)
      return { ok: false, at: error.at, reason: error.reason, token: error.token }
    throw error
  }
  try {
    return { ok: true, shown: parsed.test({ row, user, mode }) }
  } catch (error) {
    if (error instanceof ExpressionError)
      return { ok: false, at: null, reason: error.reason, token: error.token }
    throw error
  }
}

interface Props {
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly samples: readonly Row[]
  readonly onCommit: (value: string) => void
}

/**
 * Input for a condition: checks it while typing and shows its result for up to three sample rows.
 */
export function ExpressionInput({ value: saved, label, hint, samples, onCommit }: Props) {
  const { t } = useText()
  const { user } = useApi()
  const [mode, setMode] = useState<(typeof modes)[number]>('view')
  const [value, setValue] = useState(saved)
  const noteId = useId()
  useEffect(() => setValue(saved), [saved])
  const trials =
    value.trim() === ''
      ? []
      : samples.slice(0, 3).map((row) => tryExpression(value, row, { ...user }, mode))
  const wrong = trials.find((trial) => !trial.ok && trial.at !== null)
  const reasonOf = (trial: Trial & { readonly ok: false }): string =>
    texts[`designer.expression.${trial.reason}`].some((each) => each.includes('{token}'))
      ? (t as (key: string, params: object) => string)(`designer.expression.${trial.reason}`, {
          token: trial.token,
        })
      : (t as (key: string) => string)(`designer.expression.${trial.reason}`)
  return (
    <div className="jw-expression">
      <TypedInput
        mono
        lines={2}
        label={label}
        value={saved}
        onType={setValue}
        invalid={wrong !== undefined}
        describedBy={noteId}
        onCommit={onCommit}
      />
      <div id={noteId} aria-live="polite">
        {wrong !== undefined && !wrong.ok && wrong.at !== null ? (
          <div className="jw-cfg__fault">
            {t('designer.expression.at', { n: wrong.at + 1, reason: reasonOf(wrong) })}
            <pre aria-hidden>
              {value.slice(0, wrong.at)}
              <mark>
                {value.slice(wrong.at, wrong.at + Math.max(1, wrong.token.length)) || '␣'}
              </mark>
              {value.slice(wrong.at + Math.max(1, wrong.token.length))}
            </pre>
          </div>
        ) : trials.length === 0 ? (
          <small className="jw-muted">{hint}</small>
        ) : (
          <div className="jw-expression__trials">
            <HTMLSelect
              aria-label={label}
              value={mode}
              onChange={(event) => setMode(event.currentTarget.value as (typeof modes)[number])}
            >
              {modes.map((each) => (
                <option key={each} value={each}>
                  {t(`designer.expression.mode.${each}`)}
                </option>
              ))}
            </HTMLSelect>
            {trials.map((trial, index) => {
              const n = index + 1
              return trial.ok ? (
                <Tag key={n} minimal intent={trial.shown ? 'success' : 'none'}>
                  {t('designer.expression.ok', {
                    n,
                    result: t(
                      trial.shown ? 'designer.expression.shown' : 'designer.expression.hidden',
                    ),
                  })}
                </Tag>
              ) : (
                <Tag key={n} minimal intent="warning">
                  {t('designer.expression.failed', { reason: reasonOf(trial) })}
                </Tag>
              )
            })}
          </div>
        )}
      </div>
    </div>
  )
}
