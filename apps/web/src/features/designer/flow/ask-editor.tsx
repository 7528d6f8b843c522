import type { FlowEvent } from '@jiaowu/api/entity/definition/flow'
import { useText } from '../../../app/text-context.ts'
import type { Choice } from '../config/rows.ts'

type Ask = NonNullable<FlowEvent['ask']>

/** Fields that the decider fills in, and which of them must be. */
export function AskEditor({
  ask,
  fields,
  onChange,
}: {
  readonly ask: Ask
  readonly fields: readonly Choice[]
  readonly onChange: (ask: Ask) => void
}) {
  const { t } = useText()
  const kept = ask.filter(({ attrName }) => !fields.some(({ value }) => value === attrName))
  const items = [...fields, ...kept.map(({ attrName }) => ({ value: attrName, text: attrName }))]
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.ask')}</legend>
      <ul className="jw-flow-editor__asks">
        {items.map(({ value, text }) => {
          const asked = ask.find(({ attrName }) => attrName === value)
          return (
            <li key={value}>
              <label>
                <input
                  type="checkbox"
                  checked={asked !== undefined}
                  onChange={() =>
                    onChange(
                      asked === undefined
                        ? [...ask, { attrName: value, required: false }]
                        : ask.filter((each) => each !== asked),
                    )
                  }
                />
                {text}
              </label>
              {asked === undefined ? null : (
                <label>
                  <input
                    type="checkbox"
                    checked={asked.required}
                    aria-label={`${text} ${t('designer.flow.askRequired')}`}
                    onChange={() =>
                      onChange(
                        ask.map((each) =>
                          each === asked ? { ...each, required: !each.required } : each,
                        ),
                      )
                    }
                  />
                  {t('designer.flow.askRequired')}
                </label>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
