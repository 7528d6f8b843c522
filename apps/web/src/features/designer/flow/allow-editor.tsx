import { type FlowAllowed, flowAddWays } from '@jiaowu/api/entity/definition/flow'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from '../config/choice-select.tsx'

const acts = ['transfer', 'substitute', 'copy'] as const
const answers = ['', 'yes', 'no'] as const

/** Acts on the people of a step: allowed, refused, or as said outside: by the flow, which allows all. */
export function AllowEditor({
  allow,
  onChange,
}: {
  readonly allow: FlowAllowed
  readonly onChange: (allow: FlowAllowed | undefined) => void
}) {
  const { t } = useText()
  const put = (next: FlowAllowed) => onChange(Object.keys(next).length === 0 ? undefined : next)
  const answer = (given: boolean | undefined) => (given === undefined ? '' : given ? 'yes' : 'no')
  const items = answers.map((value) => ({
    value,
    text: t(value === '' ? 'designer.flow.allow.inherit' : `designer.flow.allow.${value}`),
  }))
  const { add } = allow
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.allow')}</legend>
      {acts.map((act) => (
        <label key={act} className="jw-flow-editor__term">
          <span>{t(`designer.flow.allow.${act}`)}</span>
          <ChoiceSelect
            label={t(`designer.flow.allow.${act}`)}
            value={answer(allow[act])}
            items={items}
            onPick={(picked) => {
              const { [act]: _old, ...rest } = allow
              put(picked === '' ? rest : { ...rest, [act]: picked === 'yes' })
            }}
          />
        </label>
      ))}
      <label className="jw-flow-editor__term">
        <span>{t('designer.flow.allow.add')}</span>
        <ChoiceSelect
          label={t('designer.flow.allow.add')}
          value={add === undefined ? '' : add.join()}
          items={[
            { value: '', text: t('designer.flow.allow.inherit') },
            { value: flowAddWays.join(), text: t('designer.flow.allow.yes') },
            ...flowAddWays.map((way) => ({
              value: way as string,
              text: t(`designer.flow.allow.${way}`),
            })),
            { value: 'none', text: t('designer.flow.allow.no') },
          ]}
          onPick={(picked) => {
            const { add: _old, ...rest } = allow
            put(
              picked === ''
                ? rest
                : { ...rest, add: flowAddWays.filter((way) => picked.split(',').includes(way)) },
            )
          }}
        />
      </label>
    </fieldset>
  )
}
