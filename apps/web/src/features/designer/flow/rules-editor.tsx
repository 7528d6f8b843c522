import { Checkbox } from '@blueprintjs/core'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { useText } from '../../../app/text-context.ts'
import { TypedInput } from '../config/typed-input.tsx'
import type { EditorProps } from './flow-rows.tsx'

const named = ['twoPersons', 'twoOffices', 'reasons'] as const
type Rule = NonNullable<Flow['rules']>[number]

/** Rules that hold on every path of the flow. */
export function RulesEditor({ flow, change }: Pick<EditorProps, 'flow' | 'change'>) {
  const { t } = useText()
  const rules = flow.rules ?? []
  const put = (next: readonly Rule[]) =>
    change({ type: 'set', patch: { rules: next.length === 0 ? undefined : next } })
  const isExcluding = (rule: Rule) => typeof rule === 'object' && 'noEffectWhen' in rule
  const excluding = rules.find(isExcluding)
  const source =
    typeof excluding === 'object' && 'noEffectWhen' in excluding ? excluding.noEffectWhen : ''
  const isLimit = (rule: Rule) => typeof rule === 'object' && 'endsWithin' in rule
  const limit = rules.find(isLimit)
  const days = typeof limit === 'object' && 'endsWithin' in limit ? String(limit.endsWithin) : ''
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.rules')}</legend>
      {named.map((rule) => (
        <Checkbox
          key={rule}
          checked={rules.includes(rule)}
          label={t(`designer.flow.rule.${rule}`)}
          onChange={() =>
            put(rules.includes(rule) ? rules.filter((each) => each !== rule) : [...rules, rule])
          }
        />
      ))}
      <span>{t('designer.flow.rule.noEffectWhen')}</span>
      <TypedInput
        mono
        label={t('designer.flow.rule.noEffectWhen')}
        value={source}
        onCommit={(text) => {
          const rest = rules.filter((rule) => !isExcluding(rule))
          put(text.trim() === '' ? rest : [...rest, { noEffectWhen: text.trim() }])
        }}
      />
      <span>{t('designer.flow.rule.endsWithin')}</span>
      <TypedInput
        inputMode="numeric"
        label={t('designer.flow.rule.endsWithin')}
        value={days}
        onCommit={(text) => {
          const rest = rules.filter((rule) => !isLimit(rule))
          if (/^([1-9]\d{0,2})?$/.test(text.trim()))
            put(text.trim() === '' ? rest : [...rest, { endsWithin: Number(text) }])
        }}
      />
    </fieldset>
  )
}
